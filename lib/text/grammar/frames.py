"""What can happen, a frame a line, by the scene where it happens; and which phrase stands behind which noun.

A frame says who, the verb, what else, by kind or noun of `lib.text.grammar.lexicon`; `/` stands between
what may take the same place. `in=room` is a phrase with its preposition, `?` before it: it may be missing.
`+up` is a particle; `.s` wants the singular and `.p` the plural; a verb with `!` is never put into the
passive.
"""

FRAMES: dict[str, str] = {
    "kitchen": """
person bake baked ?for=person
person cook dish ?for=person
person prepare dinner/lunch/breakfast/salad/sandwich.p ?for=person
person cut bread/cake/cheese/meat/pie ?with=knife.s
person chop vegetable.p ?with=knife.s
person peel potato.p/carrot.p/onion/apple/orange
person wash dishes.p/pan/pot/fruit.p ?in=kitchen.s
person dry dishes.p ?with=towel.s
person stir soup/stew/sauce/cocoa ?with=spoon.s
person taste soup/stew/sauce/honey/jam
person boil water/egg.p/milk/potato.p
person fry egg.p/fish/onion.p/sausage.p ?in=pan.s
person pour coffee/tea/milk/juice ?into=cup.s/glass.s/mug.s
person drink drink ?in=kitchen.s
person eat meal_food ?in=kitchen.s/restaurant.s
person finish dinner/lunch/breakfast
person fill kettle.s/bottle/glass/bowl/bucket.s ?with=water
person spill drink ?on=table.s/carpet.s/floor.s
person break dishes
person drop dishes/egg/spoon/tray ?on=floor.s
person smell bread/soup/coffee/flower
person burn pancake.p/bread/meat
person clean stove.s/oven.s/table.s
person put dishes.p/fruit.p/bread on=table.s/shelf.s
person put cheese/butter/milk/egg.p in=cupboard.s/basket.s
person share cake/pizza/chocolate/bread ?with=person
""",
    "home": """
person clean room/window/mirror/carpet
person sweep floor.s/hall.s/yard.s ?with=broom.s
person open opening/box/suitcase/letter
person open cabinet ?with=key.s
person close opening/cabinet/suitcase
person lock opening/cabinet ?with=key.s
person paint wall/door/fence/chair
person hang picture/mirror ?on=wall.s
person light candle/lamp/stove.s
person fold clothes.p/blanket/towel.p
person wash clothes.p/curtain.p/carpet
person iron! shirt/dress/apron
person sew clothes ?for=person
person knit sweater/scarf/sock.p ?for=person
person wear! clothes.s ?to=school.s/church.s/theater.s
person hide kept ?in=cabinet.s/container.s/attic.s
person hide portable ?under=bed.s/sofa.s
person find kept ?in=cabinet.s/container.s
person find small ?under=furniture.s
person keep kept ?in=cabinet.s/container.s
person put kept into=cabinet.s/container.s
person move furniture ?into=room.s
person carry furniture/container ?into=room.s
person pack suitcase/bag/backpack
person wrap toy/book/cup/jewelry ?for=person
person turn +on lamp/radio/television/computer
person turn +off lamp/radio/television/computer
person repair device/furniture/toy/roof.s
person read reading ?in=bedroom.s/attic.s
person read story/poem/book to=child/kin
person write letter/note/postcard ?to=person
person feed pet/small_pet
person brush pet
person wait ?in=hall.s/kitchen.s/bedroom.s
person sleep ?in=bedroom.s/chair.s/attic.s
person sit on=sofa.s/chair.s
person stand by=window.s/door.s
person sing ?in=bathroom.s/kitchen.s
person watch television.s ?in=bedroom.s
""",
    "garden": """
person plant flower.p/tree/vegetable.p ?in=garden.s/yard.s/field.s
person water flower.p/tree.p/garden.s/vegetable.p
person pick flower.p/fruit.p ?in=garden.s/orchard.s
person cut grass/bush/flower.p
person grow vegetable.p/flower.p ?in=garden.s
person rake! leaf.p ?in=garden.s/yard.s
person dig hole ?with=shovel.s
person carry bucket/basket/ladder/hay ?to=barn.s/garden.s
person feed poultry/farm_animal
person brush horse/pony/donkey
person milk cow/goat ?in=barn.s
person ride horse.s/pony.s ?through=field.s/forest.s
person lead horse/cow/donkey ?to=barn.s/river.s
person count sheep/hen.p/cow.p ?in=field.s
person collect egg.p/apple.p/leaf.p/wood ?in=basket.s
person build fence/barn/wall
person repair fence/gate/barn/tool ?with=hammer.s
person paint fence/gate/barn
person climb tree/ladder/wall
person chase rabbit/goat/hen/bird ?through=garden.s
person catch butterfly/frog/hen ?in=garden.s/meadow.s
person watch bird.p/bee.p/butterfly.p ?in=garden.s
person work ?in=garden.s/field.s/orchard.s
person rest ?under=tree.s
person sit under=tree.s
""",
    "town": """
person buy wares ?in=shop.s/market.s
person buy clothes/toy/jewelry/flower.p ?for=person
person sell wares ?at=market.s
person visit museum/castle/city_name/church/kin
person walk ?to=town_place.s
person walk ?through=town_way.s
person cross street/bridge/square
person enter public/shop
person leave! public/shop/hotel
person drive car.s ?to=town_place.s
person park car ?behind=house.s/school.s/hotel.s
person ride bicycle.s ?to=school.s/town_place.s
person push bicycle/car ?along=street.s
person stop car/taxi/bus
person take! bus.s/train.s/taxi.s ?to=town_place.s/city_name
person miss! bus.s/train.s/ferry.s
person wait for=bus.s/train.s/taxi.s
person wait ?at=station.s/airport.s/hotel.s
person travel ?to=city_name
person arrive ?at=station.s/hotel.s/airport.s
person lose valuable/umbrella/glove/coin ?in=street.s/station.s/theater.s
person forget umbrella/wallet/passport ?at=hotel.s/restaurant.s/bank.s
person find coin/wallet/ring/key ?in=street.s/park.s
person order dish/drink ?in=restaurant.s/hotel.s
person pay waiter.s/driver.s/baker.s
person send letter/postcard/money ?to=person
person borrow book/ladder/bicycle/umbrella ?from=neighbor/friend/library.s
person return book.p/umbrella/camera to=person/library.s
person carry container ?to=station.s/car.s
person look at=picture/castle/vessel
person look for=house/hotel/restaurant/bakery
person photograph castle/bridge/church/tourist.p ?with=camera.s
person sing song ?in=church.s/theater.s
person play piano.s/guitar.s/violin.s/flute.s/trumpet.s ?in=park.s/theater.s/square.s
person hear song/violin/drum/storm
""",
    "work": """
teacher teach child/student/children
teacher explain problem/lesson/poem ?to=student/child
doctor/nurse examine patient/child/soldier
nurse help patient/visitor
doctor visit patient
mechanic repair car/engine/motorcycle/bus ?in=garage.s
carpenter build furniture/door/fence ?for=person
tailor sew coat/jacket/dress ?for=customer/person
painter paint house/portrait/wall
writer write novel/poem/story/book
photographer photograph wild_animal/land/captain
baker bake bread/cookie.p/muffin.p
gardener plant rose.p/tulip.p/tree
captain/sailor steer ship.s/boat.s ?across=sea.s/lake.s
pilot fly plane.s ?to=city_name
driver drive bus.s/truck.s/taxi.s ?to=airport.s/station.s/hospital.s
judge/lawyer question worker/neighbor/witness
lawyer/secretary/clerk read report/letter/contract
reporter describe storm/accident/race/fire
scientist study insect/stone/leaf/problem
scientist test machine/idea
secretary type letter/report
clerk sell ticket.p ?to=tourist/customer
plumber repair pipe.p/machine
guard lock gate/door/safe
guard watch house/opening/bank
engineer design bridge/machine/engine/plane
musician play piano.s/violin.s/drum.s/trumpet.s
singer sing song ?for=guest.p/tourist.p
waiter serve dish/drink ?to=guest/customer
waiter carry tray/plate.p ?to=table.s
butcher sell meat/sausage.p ?to=customer
farmer sell vegetable.p/egg.p/milk ?at=market.s
farmer drive tractor.s ?through=field.s/village.s
soldier guard bridge/castle/gate
sailor repair boat/rope/ship
artist draw house/animal/portrait ?with=pencil.s
barber greet customer
librarian collect book.p/newspaper.p
librarian find book/magazine ?for=student/visitor
student answer question ?in=classroom.s
student solve problem/puzzle
student write report/poem/story
student forget book/pen/lesson
customer pay clerk.s/waiter.s/barber.s
customer choose clothes/picture/jewelry
tourist photograph castle/mountain/bridge ?with=camera.s
tourist buy postcard.p/map
guest thank cook.s/waiter.s
worker write report
worker check machine/report/engine
worker drink coffee/tea ?in=office.s
worker explain plan/mistake ?to=person
worker answer letter/question
worker solve problem
worker use computer.s/machine/tool
worker wait ?in=office.s
worker talk ?about=plan/problem/weather
""",
    "people": """
person thank person
person help person
person greet person ?at=door.s/station.s/gate.s
person meet person ?in=park.s/street.s/library.s/restaurant.s
person invite person ?to=party.s/dinner/theater.s
person visit kin/friend/neighbor
person call person
person follow person ?through=park.s/forest.s/street.s
person hug kin/friend/child
person surprise person
person trust kin/friend/doctor/teacher
person like! kin/teacher/neighbor/friend
person admire singer/artist/pilot/captain
person wake kin/guest/child
person recognize person ?at=station.s/market.s
person forgive kin/friend
person talk to=person
person talk about=weather/picture/game/plan
person laugh at=joke.s/story.s
person smile at=person
person wave to=person
person wait for=friend/kin
person argue with=neighbor/kin/driver
person dance with=person
person play with=child/dog/friend
person listen to=person
person give portable to=person
person lend tool/book/umbrella/car/bicycle to=person
person show picture/jewelry/letter/toy to=person
person offer tea/coffee/cookie.p/chair to=guest/visitor/person
person throw ball to=child/friend/person
person tell! story/secret/joke to=person
person bring flower.p/book/soup/newspaper to=person
person describe picture/plan/accident ?to=person
person explain plan/game/problem ?to=person
person keep secret/promise
person play game ?with=person
person win race.s/contest.s/game.s
person answer question
""",
    "outdoors": """
person swim ?in=water_place.s
person row boat.s ?across=lake.s/river.s
person catch fish/trout/salmon ?in=river.s/lake.s
person climb mountain/hill/tree
person walk ?through=forest.s/meadow.s/valley.s
person walk ?along=beach.s/river.s/path.s
person run ?along=beach.s/river.s/road.s
person fly kite ?on=beach.s/hill.s
person throw stone/stick/ball ?into=water_place.s
person kick ball ?across=field.s/yard.s
person collect shell.p/stone.p/leaf.p/feather.p ?on=beach.s
person watch sunset.s/vessel/bird.p/wild_animal
person photograph deer/eagle/mountain/flower.p ?with=camera.s
person hear owl/wolf/storm/bird.p
person see deer/fox/eagle/squirrel ?in=forest.s/meadow.s
person feed duck.p/swan.p/pigeon.p ?in=park.s
person build tent/fire/boat ?on=beach.s
person carry backpack/tent/rope/boat ?to=lake.s/hill.s
person cross river/bridge/valley/field
person explore cave/island/forest/castle
person lose map/backpack/hat ?in=forest.s
person read map
person follow path/river/road ?through=forest.s/valley.s
person sail boat.s/ship.s ?across=lake.s/sea.s
person find cave/path/feather/shell ?in=forest.s/valley.s
person rest ?by=river.s/fire.s/lake.s
person sleep ?in=tent.s/cabin.s
child play ?in=park.s/garden.s/yard.s
children play ?in=park.s/garden.s/yard.s
""",
    "animals": """
dog/puppy chase cat/squirrel/rabbit/duck/ball ?through=garden.s/park.s
dog bark at=stranger/driver/car/cat
dog bury stick.s/shoe.s ?in=garden.s/yard.s
dog/puppy follow person ?to=school.s/park.s/river.s
dog guard house/opening/sheep
dog/puppy bite shoe/glove/stick/blanket
dog/puppy sleep ?under=table.s/tree.s/bed.s
dog lie by=door.s/stove.s/fire.s
puppy break cup/plate/lamp
cat/kitten chase mouse/bird/butterfly ?through=kitchen.s/garden.s
cat catch mouse/bird/fish
cat/kitten sleep ?on=sofa.s/bed.s/chair.s
cat sit ?on=wall.s/roof.s
cat/kitten drink milk/water ?in=kitchen.s
kitten climb tree/curtain
cat watch bird.p/mouse/fish
pet/small_pet eat bread/cheese/carrot/cookie
rabbit/goat eat carrot/cabbage/flower.p/grass ?in=garden.s
horse/cow/sheep/donkey stand in=field.s/meadow.s/barn.s
horse/cow/sheep/goat eat grass/hay/apple.p
horse/donkey pull wagon ?through=village.s/valley.s
horse jump over=fence.s/wall.s
wolf/fox/bear attack sheep/goat/donkey
fox steal egg.p/hen/goose ?from=farmer
wolf/bear/fox/deer hide ?in=forest.s/cave.s
deer/wolf/fox/bear cross road/river/meadow
lion/tiger sleep ?under=tree.s
elephant/lion drink water
monkey steal banana/hat/camera ?from=tourist
monkey climb tree/roof
squirrel/mouse/rat hide ?under=tree.s/floor.s/leaf.p
mouse/rat eat cheese/bread/sugar ?in=kitchen.s/cellar.s
bird/robin/sparrow sing ?in=tree.s/garden.s
bird/robin/sparrow/swan build nest ?in=garden.s/tree.s
crow/bird steal ring/coin/bread
eagle/hawk/owl catch mouse/fish/rabbit
eagle/crow/bird/owl fly ?over=house.s/forest.s/lake.s
owl sit ?on=roof.s/wall.s
rooster wake farmer/village/baker
duck/swan/goose swim ?on=lake.s/pond.s/river.s
bee/butterfly visit flower.p/garden
spider catch fly/butterfly/bee
fish/trout swim ?in=pond.s/river.s
frog jump into=pond.s/stream.s
snake bite worker/horse
storm damage roof.s/ship/bridge/tree.p
wind break window/tree
rain water flower.p/garden
snow cover field/roof/town/mountain
""",
}

# How something is done, and the verbs that it goes with.
MANNERS: dict[str, str] = {
    "slowly": "open close walk climb eat drink stir cross drive move carry read swim row lead push cut",
    "quickly": "open close walk climb eat drink run drive wash clean cut chop cook hide pack read write "
    "answer row cross fold leave catch repair sweep peel steal",
    "carefully": "open close lock wash dry clean cut chop peel fold wrap carry paint repair hang sew read "
    "write examine check count plant move drive cross pour put keep study draw test feed pack build climb "
    "photograph",
    "quietly": "open close walk sing read wait sit sleep talk leave enter play watch listen smile rest",
    "loudly": "sing laugh bark talk argue play",
    "happily": "sing dance eat play work swim bake cook plant walk laugh",
    "gently": "brush fold wash touch push hug wake stir",
    "patiently": "wait listen explain teach work help",
    "politely": "greet thank answer offer invite question ask",
    "proudly": "wear show sing win carry describe serve",
    "secretly": "hide read write follow keep watch eat give send",
    "suddenly": "stop leave jump laugh attack arrive bark",
    "finally": "find arrive meet win solve answer repair finish recognize catch sell buy visit return",
    "nearly": "miss forget drop lose break burn spill",
    "warmly": "thank greet invite",
    "bravely": "guard swim climb cross explore",
}
BEFORE_VERB = {"finally", "nearly", "suddenly", "secretly"}

# What stands behind a noun in "the keys to the cabinet": preposition and kind.
MODIFIERS: dict[str, str] = {
    "key": "to=cabinet/door/gate/car/house to=office.s/garage.s/attic.s",
    "reading": "about=animal/city_name/land/vessel on=table.s/desk.s/shelf.s from=kin/friend",
    "picture": "of=animal/vessel/castle/mountain/flower.p on=wall.s by=artist",
    "dishes": "on=table.s/shelf.s/tray.s in=cupboard.s",
    "valuable": "on=table.s/desk.s in=drawer.s/bag.s",
    "jewelry": "in=box/drawer.s/purse.s",
    "clothes": "in=closet.s/suitcase/wardrobe.s on=chair.s/bed.s",
    "tool": "in=garage.s/barn.s",
    "toy": "under=bed.s/sofa.s in=box",
    "woman": "with=umbrella.s/dog/basket/hat.s from=bakery.s/village.s/city_name at=window.s",
    "man": "with=hat.s/umbrella.s/dog/ladder.s from=bank.s/hotel.s/village.s/city_name at=window.s/gate.s",
    "worker": "from=village.s/city.s/hotel.s/city_name near=door.s/window.s",
    "other": "from=village.s/city.s/city_name near=window.s/gate.s with=dog/suitcase/hat.s",
    "pet": "on=sofa.s/chair.s near=door.s/gate.s under=table.s",
    "farm_animal": "on=hill.s in=field.s/barn.s/meadow.s near=river.s/gate.s",
    "poultry": "in=yard.s/barn.s near=fence.s",
    "wild_animal": "near=river.s/lake.s",
    "bird": "in=tree on=roof near=lake.s/pond.s",
    "little_animal": "in=garden.s/cellar.s under=tree.s/shelf.s",
    "insect": "on=flower/leaf/window.s",
    "fruit": "in=basket/bowl on=table.s/tree.s",
    "vegetable": "in=basket/pot.s from=garden.s/market.s",
    "baked": "on=table.s/plate in=oven.s from=bakery.s",
    "groceries": "on=table.s/shelf.s from=market.s",
    "drink": "on=table.s/tray.s",
    "dish": "on=table.s/stove.s",
    "furniture": "near=window.s/door.s in=garden.s/hall.s/kitchen.s",
    "cabinet": "in=kitchen.s/office.s/hall.s near=door.s/window.s",
    "opening": "of=house/barn/shop/cabin/church",
    "part": "of=house/barn/castle/church",
    "car": "behind=house/school.s/hotel.s in=street.s/garage.s of=neighbor/doctor",
    "vessel": "on=lake.s/river.s near=island/bridge",
    "device": "in=kitchen.s/garage.s/office.s on=table.s/shelf.s",
    "instrument": "in=hall.s/attic.s/classroom.s",
    "container": "on=shelf.s/table.s near=door.s under=bed.s",
    "household": "on=bed.s/chair.s in=cupboard.s/bathroom.s",
    "flower": "in=garden.s/meadow.s near=window.s/gate.s",
    "tree": "in=garden.s/park.s/orchard.s near=house.s/river.s/church.s",
    "house": "on=hill.s near=river.s/lake.s/church.s/forest.s",
    "way": "to=castle.s/lake.s/village.s along=river.s",
    "answer": "to=question.s/letter.s",
    "plan": "for=house.s/bridge.s/garden.s",
    "story": "about=wolf/bear/dragon.s/island.s",
    "song": "about=sea.s/island/ship",
}
