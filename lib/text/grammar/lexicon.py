"""The words of the grammar: nouns by kind, verbs by the company they keep, adjectives by what they fit.

A noun's kind says what can be done with it: `FRAMES` lets people open what is of kind "opening" and dogs
chase what is of kind "prey", so that the sentences of `lib.text.grammar` make sense.
"""

from typing import NamedTuple


def words(text: str) -> frozenset[str]:
    """The words of a line as a set."""
    return frozenset(text.split())


# --- nouns ----------------------------------------------------------------------------------------

# kind: (type of entity, nouns). A star marks what cannot be counted, an equals sign what is always plural.
NOUNS: dict[str, tuple[str, str]] = {
    "woman": ("person", "girl woman lady"),
    "man": ("person", "boy man gentleman"),
    "female_kin": ("person", "mother sister aunt grandmother daughter"),
    "male_kin": ("person", "father brother uncle grandfather son"),
    "worker": (
        "person",
        "teacher doctor nurse baker farmer gardener driver painter writer singer cook waiter tailor "
        "carpenter mechanic pilot sailor soldier lawyer judge reporter librarian photographer musician "
        "scientist guard clerk butcher barber plumber dentist artist captain secretary engineer",
    ),
    "other": ("person", "friend neighbor child guest visitor tourist customer student stranger cousin"),
    "pet": ("animal", "dog cat puppy kitten"),
    "small_pet": ("animal", "rabbit parrot hamster turtle"),
    "farm_animal": ("animal", "cow horse pig goat donkey sheep pony"),
    "poultry": ("animal", "hen duck goose rooster"),
    "wild_animal": ("animal", "fox wolf bear deer lion tiger elephant monkey"),
    "little_animal": ("animal", "mouse squirrel frog rat hedgehog snake"),
    "bird": ("animal", "bird crow owl sparrow pigeon eagle swan robin"),
    "insect": ("animal", "bee spider butterfly fly ant"),
    "fish": ("animal", "trout salmon fish"),
    "fruit": ("food", "apple pear orange peach plum cherry lemon banana"),
    "vegetable": ("food", "carrot potato onion tomato bean cabbage pumpkin"),
    "baked": ("food", "bread* cake pie cookie loaf pancake biscuit muffin"),
    "dish": ("food", "soup* stew* salad omelet sandwich pizza pasta* rice* sausage"),
    "drink": ("food", "coffee* tea* milk* juice* water* lemonade* cocoa*"),
    "groceries": ("food", "cheese* butter* honey* egg sugar* jam* flour* meat* chocolate*"),
    "reading": ("thing", "book letter newspaper magazine novel poem story diary note postcard report"),
    "pen": ("thing", "pen pencil brush"),
    "tool": ("thing", "hammer saw ladder rope knife shovel rake axe drill"),
    "dishes": ("thing", "cup plate bowl glass mug"),
    "kitchenware": ("thing", "pot pan spoon fork kettle jar bottle tray"),
    "container": ("thing", "box bag basket suitcase purse backpack bucket"),
    "cabinet": ("thing", "cabinet cupboard drawer closet wardrobe safe chest"),
    "furniture": ("thing", "table desk chair bench shelf bed sofa stool"),
    "opening": ("thing", "door window gate"),
    "clothes": ("thing", "coat hat scarf dress shirt sweater jacket glove boot shoe sock skirt cap apron"),
    "jewelry": ("thing", "ring necklace watch bracelet coin"),
    "valuable": ("thing", "key ticket wallet passport"),
    "car": ("thing", "car truck bus van taxi tractor"),
    "cycle": ("thing", "bicycle motorcycle"),
    "vessel": ("thing", "boat ship ferry"),
    "craft": ("thing", "train plane"),
    "toy": ("thing", "ball doll kite puzzle balloon"),
    "instrument": ("thing", "piano guitar violin drum flute trumpet"),
    "device": ("thing", "clock lamp radio camera computer television machine engine stove oven"),
    "household": ("thing", "blanket pillow towel candle mirror umbrella curtain carpet broom"),
    "picture": ("thing", "picture painting photograph drawing portrait poster"),
    "flower": ("thing", "flower rose tulip daisy lily"),
    "tree": ("thing", "tree bush oak"),
    "found": ("thing", "stone leaf feather shell stick"),
    "part": ("thing", "roof wall floor"),
    "room": ("place", "kitchen bedroom bathroom hall attic cellar garage office classroom"),
    "house": ("place", "house cottage barn castle cabin"),
    "public": (
        "place",
        "school church library museum hospital hotel restaurant theater station bank airport",
    ),
    "shop": ("place", "shop bakery store market pharmacy"),
    "outdoors": ("place", "garden park forest field meadow beach yard orchard"),
    "water_place": ("place", "river lake pond sea stream"),
    "land": ("place", "hill mountain island valley"),
    "town": ("place", "town village city"),
    "way": ("place", "street road path bridge"),
    "thought": ("thing", "idea plan question answer problem secret joke mistake"),
    "song": ("thing", "song tune melody"),
    "event": ("thing", "game race contest"),
    "meal": ("thing", "breakfast* lunch* dinner*"),
    "weather": ("thing", "rain* snow* wind* fog*"),
    "storm": ("thing", "storm"),
    "money": ("thing", "money*"),
    "group": ("person", "children= people= neighbors= tourists="),
}

NAMES: dict[str, str] = {  # who: names
    "she": "Anna Mary Emma Lucy Sarah Alice Julia Helen Laura Kate Grace Rose Nina Clara Ellen Maria Ruth",
    "he": "Tom Ben Peter David Paul Jack Henry Mark Daniel Sam Oscar George Frank Leo Martin Eric Simon Adam",
}
CITIES = "London Paris Rome Berlin Boston Chicago Vienna Madrid Dublin Tokyo"

# Kinds that frames name together.
KINDS: dict[str, str] = {
    "human": "woman man worker other",
    "person": "name name name woman man worker other female_kin male_kin",
    "kin": "female_kin male_kin",
    "animal": "pet farm_animal wild_animal bird",
    "prey": "little_animal bird small_pet pet",
    "food": "fruit vegetable baked dish groceries",
    "meal_food": "baked dish fruit",
    "small": "valuable jewelry reading pen toy clothes found",
    "portable": "valuable jewelry reading pen toy clothes dishes tool fruit flower picture container",
    "kept": "valuable jewelry reading tool dishes kitchenware toy clothes",
    "locked": "cabinet opening house car",
    "indoors": "room house public shop",
    "place": "room public shop outdoors town water_place",
    "wares": "fruit vegetable baked groceries flower clothes reading picture furniture jewelry toy",
    "fixable": "device cycle car furniture instrument opening toy vessel part",
    "made": "furniture toy clothes picture container",
    "heavy": "furniture cabinet container device instrument found",
    "vehicle": "car cycle vessel",
    "ride": "cycle horse pony donkey",
    "trip": "town public outdoors water_place shop",
    "surface": "furniture part",
}

PLURALS = {
    "woman": "women",
    "man": "men",
    "gentleman": "gentlemen",
    "child": "children",
    "goose": "geese",
    "mouse": "mice",
    "sheep": "sheep",
    "deer": "deer",
    "trout": "trout",
    "salmon": "salmon",
    "fish": "fish",
    "wolf": "wolves",
    "knife": "knives",
    "loaf": "loaves",
    "shelf": "shelves",
    "leaf": "leaves",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "photo": "photos",
    "piano": "pianos",
    "roof": "roofs",
    "safe": "safes",
}

FEMININE = words("girl woman lady mother sister aunt grandmother daughter")
MASCULINE = words("boy man gentleman father brother uncle grandfather son waiter")
NOUN_IN_KIND = {
    noun.rstrip("*="): kind for kind, (_, nouns) in NOUNS.items() for noun in nouns.split() if noun[-1] != "="
}
UNCOUNTED = {noun[:-1] for _, nouns in NOUNS.values() for noun in nouns.split() if noun[-1] == "*"}
ONLY_PLURAL = {noun[:-1] for _, nouns in NOUNS.values() for noun in nouns.split() if noun[-1] == "="}
TYPES = {kind: type_ for kind, (type_, _) in NOUNS.items()} | {"name": "person", "city": "place"}


def nouns_of(kind: str) -> list[str]:
    """The nouns of a kind, of several (`KINDS`), or the noun itself; "name" is no noun and gives none."""
    if kind in KINDS:
        return [noun for part in KINDS[kind].split() if part != "name" for noun in nouns_of(part)]
    return [noun.rstrip("*=") for noun in NOUNS[kind][1].split()] if kind in NOUNS else [kind]


def plural(noun: str) -> str:
    """The plural of a noun: "boxes", "children"."""
    if noun in ONLY_PLURAL or noun in PLURALS:
        return PLURALS.get(noun, noun)
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


# --- verbs ----------------------------------------------------------------------------------------


class Verb(NamedTuple):
    """The five forms of a verb: see, sees, saw, seen, seeing."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str


IRREGULAR = """
be was been/become became become/begin began begun/bite bit bitten/blow blew blown/break broke broken
bring brought brought/build built built/burn burned burned/buy bought bought/catch caught caught
choose chose chosen/climb climbed climbed/come came come/cut cut cut/dig dug dug/do did done/draw drew drawn
drink drank drunk/drive drove driven/eat ate eaten/fall fell fallen/feed fed fed/feel felt felt
fight fought fought/find found found/fly flew flown/forget forgot forgotten/get got got/give gave given
go went gone/grow grew grown/hang hung hung/have had had/hear heard heard/hide hid hidden/hit hit hit
hold held held/keep kept kept/know knew known/lay laid laid/lead led led/leave left left/lend lent lent
light lit lit/lose lost lost/make made made/meet met met/paint painted painted/pay paid paid/put put put
read read read/ride rode ridden/ring rang rung/rise rose risen/run ran run/say said said/see saw seen
sell sold sold/send sent sent/sew sewed sewn/shine shone shone/show showed shown/sing sang sung/sit sat sat
sleep slept slept/speak spoke spoken/spend spent spent/stand stood stood/steal stole stolen/sweep swept swept
swim swam swum/take took taken/teach taught taught/tell told told/think thought thought/throw threw thrown
understand understood understood/wake woke woken/wear wore worn/win won won/write wrote written
"""
_FORMS = {row.split()[0]: row.split()[1:] for row in IRREGULAR.strip().replace("\n", "/").split("/")}
# One syllable, one vowel, one consonant, and those stressed at their end: the consonant is doubled.
_DOUBLED = words(
    "begin chat chop clap cut dig drop forget get grab hit hop hug hum knit mop nod pat pet plan put rub run "
    "shop sit slip stir stop swim trip wag win wrap"
)


def verb(base: str) -> Verb:
    """All forms of a verb from its base."""
    if base == "be":
        return Verb("be", "is", "was", "been", "being")
    sibilant = base.endswith(("s", "x", "z", "ch", "sh", "o"))
    soft = base.endswith("y") and base[-2] not in "aeiou"
    third = {"have": "has"}.get(base) or (
        base + "es" if sibilant else base[:-1] + "ies" if soft else base + "s"
    )
    stem = base + base[-1] if base in _DOUBLED else base
    regular = base + "d" if base.endswith("e") else base[:-1] + "ied" if soft else stem + "ed"
    past, participle = _FORMS.get(base, [regular, regular])
    silent = base.endswith("e") and not base.endswith(("ee", "ye", "oe"))
    return Verb(base, third, past, participle, (base[:-1] if silent else stem) + "ing")


# A frame a line: who, the verb, what else, by kind. `?` marks what may be missing, `in=room` a phrase with
# its preposition, `+up` a particle. `.s` and `.p` want a noun in the singular or in the plural. A verb with
# `!` has no passive. Each group begins with the adverbs that go with it.
FRAMES: dict[str, str] = {
    "slowly quickly carefully": """
person open opening ?with=key.s
person open cabinet ?with=key.s
person lock cabinet/opening/house ?with=key.s
person close opening/cabinet/reading
person clean room/car/dishes/opening/furniture
person wash dishes/clothes/car/vegetable/window ?in=kitchen/yard
person paint wall/opening/furniture/house/picture
person build house/furniture/vessel/bridge.s ?for=person
person repair fixable ?in=garage.s
person fix fixable ?for=person
worker examine picture/device/jewelry
person cut bread/cake/rope/fruit ?with=knife.s
person fold clothes/blanket/letter
person peel fruit/potato.p/onion/carrot ?in=kitchen
person carry container/furniture/household ?to=room/car.s/house.s
person pull +out drawer.s
person put portable ?on=surface.s
person put kept ?into=cabinet.s/container.s
person count jewelry.p/valuable.p/egg.p/farm_animal.p
person write letter/poem/story/note/report/book ?to=person
person draw picture/house/animal ?with=pen.s
""",
    "quickly happily hungrily": """
person eat meal_food ?in=kitchen/restaurant/garden
person finish dinner/breakfast/lunch/soup
animal eat bread/fruit/vegetable
pet drink milk/water
""",
    "slowly happily quietly": """
person drink drink ?in=kitchen/garden
person read reading ?in=library/bedroom/garden
person read reading ?to=kin/child
person play instrument.s ?in=hall/theater/park
person sing song ?for=person
person hum song
person wear! clothes.s ?to=school/church/theater
person stir soup/stew/coffee ?with=spoon.s
person water flower.p/tree.p/garden
person pick flower.p/fruit.p ?in=garden/meadow/orchard
person plant flower.p/tree/vegetable.p ?in=garden/yard/field
person watch bird.p/wild_animal/vessel.p
person pet pet/horse/pony
""",
    "carefully gladly": """
person bake baked ?for=person
person cook dish/dinner/breakfast ?for=person ?in=kitchen
person prepare dinner/lunch/salad/sandwich.p ?for=person
person make dish/toy/baked ?for=person
person feed pet/farm_animal/poultry/small_pet
person brush horse/dog/pony
person sew clothes ?for=person
person knit sweater/scarf/sock.p ?for=person
person teach child/student/group
person help person
worker help customer/visitor/guest/tourist
person wrap toy/book/cup/jewelry
""",
    "gladly finally": """
person buy wares ?in=shop/market ?for=person
person sell wares ?at=market.s/shop
person send letter/postcard/money ?to=person
person lend portable ?to=person
person show picture/portable ?to=person
person give portable/money ?to=person
person offer drink/cookie.p/apple ?to=guest/visitor/person
person return! portable ?to=person
person invite person ?to=house.s/restaurant.s/theater.s
person thank person
person visit kin/museum/castle/friend/city
person meet person ?in=public/park/street
person answer question/letter
person win race.s/contest.s/game.s
person solve problem/puzzle
""",
    "suddenly nearly": """
person break dishes/window/toy/chair ?in=kitchen
person drop dishes/egg/coin/book/tray ?on=floor.s
person lose valuable/jewelry/glove/umbrella ?in=park/street/station/theater
person forget valuable/umbrella/question ?at=station/restaurant
person spill coffee/milk/juice/soup ?on=table.s/carpet.s
person miss! bus.s/train.s/ferry.s
person catch fish/ball/mouse ?in=water_place
person find valuable/jewelry/found ?in=cabinet.s/park/street
person find portable ?under=furniture.s
person see animal/vessel ?in=outdoors/field/street
person hear song/storm/bird/dog
person notice mistake/animal/stranger
""",
    "quickly suddenly": """
person throw ball/stone/stick ?into=water_place
person kick ball
person hide money/portable ?in=cabinet.s/container.s/attic
person hide portable ?under=bed.s
person grab container/umbrella/clothes
dog chase cat/squirrel/rabbit/ball/duck
cat chase mouse/bird/butterfly
cat catch mouse/bird
wolf attack sheep/donkey
fox steal egg/hen/goose
dog bite worker/stranger/stick
dog bury stick.s ?in=garden/yard
bird/crow steal ring/coin/bread
monkey steal banana/hat/camera
person push car/door/bicycle
person follow person ?through=park/forest/street
person stop car/bus/machine
storm damage roof/ship/bridge/house
wind break window/tree
""",
    "carefully often": """
person drive car.s ?to=town/airport/market/hospital
person ride ride.s ?through=park/forest/town
person sail vessel.s ?across=lake/sea
person park car.s ?behind=house.s/school/hotel
person check report/engine/ticket/machine
person use tool/device/kitchenware
person test engine/machine/computer
person collect jewelry.p/shell.p/stone.p/postcard.p
person keep kept ?in=cabinet.s/container.s
person store kept/vegetable.p ?in=cellar/attic/barn
person hang picture/mirror/clothes ?on=wall.s
person photograph animal/castle/person ?with=camera.s
person describe picture/plan/person
person explain problem/plan/game ?to=person
person study picture/report/insect.p
""",
    "quietly slowly": """
person walk ?to=trip
person walk ?through=outdoors/town
person sit ?on=bench.s/chair.s/sofa.s
person sit ?in=garden/kitchen/hall
person stand ?by=window.s/door.s/car.s
person swim ?in=water_place
person sleep ?in=bedroom/chair.s
person climb tree/hill/mountain/ladder
cat sleep ?on=sofa.s/bed.s/chair.s
cat sit ?on=wall.s/roof.s
dog sleep ?under=table.s/tree.s
dog lie ?by=door.s/stove.s
bird sit ?in=tree.s/garden
horse/cow/sheep stand ?in=field/meadow/barn
horse/cow/sheep graze ?on=hill/field
fish swim ?in=water_place
duck/swan swim ?on=lake/pond/river
bee/butterfly fly ?over=flower.p/garden/meadow
snow fall ?on=roof/field/town
""",
    "loudly happily": """
person laugh ?at=joke.s/story.s
person talk ?to=person ?about=weather/picture/game/plan
person sing ?in=church/kitchen/bathroom
person dance ?in=hall/kitchen
child/group play ?in=park/garden/yard
dog bark ?at=stranger/worker/car/cat
bird sing ?in=tree.s/garden
rooster crow ?in=yard
person clap ?after=song.s
""",
    "often happily": """
person work ?in=office/garden/shop/hospital
person live ?in=town/house/cottage
person wait ?for=bus.s/train.s/friend/answer.s
person wait ?at=station/hotel
person look ?at=picture/vessel/animal
person look ?for=valuable/jewelry/pet
person listen ?to=song/radio/story
person smile ?at=person
person travel ?to=city_name/town
person arrive ?at=station/hotel/airport
person run ?to=school/house.s/bus.s
person run ?along=beach/river/street
person wave ?to=person
""",
}

# A person who says, knows or wants something: what follows is a clause of its own.
THAT_VERBS = "say think know believe hope notice remember explain"
TO_VERBS = "want try hope decide plan begin learn forget promise love"
ASK_VERBS = "ask tell help teach"  # somebody to do something

# What stands between a noun and its verb in "the keys to the cabinet are": kind, preposition, kind.
MODIFIERS: dict[str, str] = {
    "key": "to=cabinet/door/gate/car/house",
    "reading": "about=animal/city_name/vessel on=table.s/shelf/desk.s",
    "picture": "of=animal/vessel/house/land/flower.p on=wall.s",
    "dishes": "on=table.s/shelf/tray.s",
    "valuable": "on=table.s/desk.s in=drawer.s/bag.s",
    "jewelry": "in=box/drawer.s/purse.s",
    "clothes": "in=closet.s/suitcase/drawer",
    "tool": "in=garage/barn on=bench.s",
    "toy": "under=bed.s/sofa.s in=box",
    "woman": "with=hat.s/umbrella.s/dog/basket from=bakery/library/village/city_name at=window.s/door.s",
    "man": "with=hat.s/umbrella.s/dog/ladder.s from=bank/hotel/village/city_name at=window.s/gate.s",
    "worker": "from=hospital/village/city/hotel/city_name near=door.s/window.s",
    "other": "from=village/city/city_name near=window.s/gate.s",
    "pet": "on=sofa.s/chair.s near=door.s/gate.s of=neighbor",
    "farm_animal": "on=hill in=field/barn/meadow near=river/gate.s",
    "wild_animal": "in=forest near=river/lake",
    "bird": "in=tree on=roof near=lake/pond",
    "little_animal": "in=garden/cellar under=tree.s/shelf",
    "fruit": "in=basket/bowl on=table.s/tree.s",
    "baked": "on=table.s/plate in=oven.s",
    "groceries": "on=table.s/shelf in=kitchen",
    "furniture": "near=window.s/door.s in=garden/hall/kitchen",
    "cabinet": "in=kitchen/office/hall near=door.s",
    "opening": "of=house/barn/shop/cabin",
    "part": "of=house/barn/castle/church",
    "car": "behind=house/school/hotel in=street in=garage",
    "vessel": "on=lake/river near=island/bridge",
    "device": "in=kitchen/garage/office on=table.s/shelf",
    "instrument": "in=hall/attic/classroom",
    "container": "on=shelf/table.s near=door.s under=bed.s",
    "flower": "in=garden/meadow on=table.s near=window.s/gate.s",
    "tree": "in=garden/park/orchard near=house/river/church",
    "house": "on=hill near=river/lake/church/forest",
    "answer": "to=question.s",
    "plan": "for=house/bridge/garden",
}

# --- adjectives and adverbs -----------------------------------------------------------------------

# What stands before a noun of a kind, or of the type of entity; what a person or thing is said to be.
ADJECTIVES: dict[str, str] = {
    "person": "young old tall kind clever friendly quiet polite busy honest famous strange",
    "kin": "young old kind clever quiet",
    "animal": "small big young brown black white gray old",
    "wild_animal": "wild hungry big young dangerous",
    "pet": "little lazy friendly hungry brown black white small clever",
    "bird": "small white black young beautiful",
    "insect": "tiny little black yellow",
    "food": "fresh small big",
    "fruit": "ripe sweet red green fresh sour juicy",
    "vegetable": "fresh big ripe green",
    "baked": "warm fresh sweet delicious",
    "dish": "hot delicious simple spicy",
    "drink": "hot cold fresh sweet",
    "thing": "old new small",
    "reading": "long short interesting old funny thick",
    "picture": "beautiful old large colorful strange famous",
    "clothes": "red blue green warm new wool old gray yellow",
    "jewelry": "golden silver beautiful expensive old",
    "tool": "sharp heavy rusty old new",
    "container": "heavy small empty leather large wooden",
    "cabinet": "wooden tall old narrow heavy",
    "furniture": "wooden old comfortable broken heavy",
    "dishes": "clean blue white broken dirty",
    "car": "fast old red white expensive",
    "vessel": "wooden small white old",
    "device": "broken modern old noisy cheap new",
    "toy": "red colorful new wooden little",
    "flower": "yellow red white lovely pink",
    "tree": "tall old green",
    "place": "quiet small large old",
    "room": "dark bright clean cold large empty",
    "town": "small busy beautiful pretty old",
    "outdoors": "beautiful quiet green large",
    "land": "green steep high",
    "weather": "heavy cold",
    "thought": "good strange simple difficult silly",
    "song": "sad cheerful famous old lovely",
}
FEELINGS = "happy sad tired hungry angry nervous proud glad sick surprised worried excited thirsty ready late"
STATES: dict[str, str] = {  # what something is said to be, besides its adjectives
    "person": FEELINGS,
    "kin": FEELINGS,
    "animal": "hungry tired thirsty asleep calm wet",
    "food": "delicious fresh cheap expensive cold",
    "thing": "dirty broken cheap expensive missing",
    "place": "empty crowded quiet dark closed open",
    "opening": "open closed broken",
    "locked": "open empty full",
    "thought": "easy wrong clear strange",
    "weather": "heavy terrible",
}
DEGREES = "very quite too rather so"
FREQUENCY = "always often never sometimes usually rarely"
SOON = "again soon later finally today tomorrow"
TIMES = "morning afternoon evening"
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
SEASONS = "spring summer autumn winter"
NUMBERS = "two three four five six"
