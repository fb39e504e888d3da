"""What happens in the short stories of the grammar.

A plot begins with its roles, each a letter and the kinds that it is drawn from
(`lib.text.grammar.lexicon`); `a's` before them says whose it is, `a+b` means both. The other lines are
sentences: who, a verb, what else. `in=r` is a phrase with its preposition, `!sad` an adjective, `~away` an
adverb, `@on-D` a time (D: some day, S: some season), `+up` a particle; `find:could` sets a tense (see
`TENSES`), `not` denies, `by` behind the subject makes a passive and names the one who acts first. `TO` and
`THAT` begin a clause inside the clause; other words in capitals join two clauses, and `WHEN ... THEN` puts
the first one first. `?` before a line: it is told in half of the stories. Of sentences joined by `|` one
is told.
"""

TENSES = {
    "had": "past perfect",
    "was": "past progressive",
    "would": "would",
    "could": "could",
    "should": "should",
}

PLOTS = """
a: name | b: name/other.s | k: a's valuable.s/ring.s | r: room/garden | c: box.s/chair.s/sofa.s/basket.s
a lose k in=r | a find:could not k | WHEN a come into=r THEN a find:could not k
a look ~everywhere BUT a not find k | a look ~everywhere | a search r ~carefully
? a be !worried | a be !very-sad
a ask b TO help
b look under=c AND b find k | b find k under=c | k be under=c
b give k to=a | b bring k to=a | k be !dirty BUT a be !happy
a thank b | a hug b | a be !happy AND a thank b

a: name | d: a's dog.s/puppy.s | w: rabbit.s/cat.s/squirrel.s | o: park/forest/meadow
b: woman.s/man.s/worker.s | t: tree.s/bush.s
a take d to=o @on-D | a walk through=o with=d
WHEN d see w THEN d bark ~loudly AND d run ~away | d see w AND d chase w through=o
? w hide behind=t | w climb t
a call d BUT d not come | a look for=d BUT a find:could not d
? a be !worried | a wait by=t
b find d by=t | b see d behind=t
b bring d to=a | b lead d to=a
a thank b | a be !happy AND a thank b

a: baker.s/name | b: child.s/girl.s/boy.s | c: cake.s/pie.s | f: apple.p/cherry.p/plum.p | r: kitchen
a want TO bake c | a decide TO bake c for=b
a buy f at=market AND a wash f ~carefully | a wash f AND a cut f with=knife.s
a put f into=bowl.s AND a stir flour with=spoon.s | a bake c in=oven.s
? r be !warm
b come into=r AND b smell c | WHEN b come into=r THEN b see c
b ask a TO cut c | b want TO eat c
c by eat b ~quickly | b eat c ~happily
? b thank a | b say THAT c be !delicious

a: name/farmer.s | b: child.s/name | f: apple.p/egg.p/orange.p/potato.p | k: basket.s/bag.s
a carry f to=market @in-the-morning | a put f into=k AND a walk to=market
a drop k in=street BECAUSE k be !too-heavy | BECAUSE k be !heavy THEN a drop k
f roll ~everywhere | f fall on=road.s
b see a AND b stop | b run to=a
b help a | b collect f AND b put f into=k
a thank b AND a give b coin.s | a smile at=b

a: child.s/boy.s/girl.s | m: a's mother.s/father.s/grandmother.s | v: cup.s/plate.s/lamp.s | b: ball.s
a play:was in=kitchen with=b | a throw b through=kitchen
b hit v AND v break | v by break b
a be !nervous AND a hide v under=sofa.s | a hide v in=drawer.s BECAUSE a be !nervous
WHEN m come into=kitchen THEN m ask a | m come into=kitchen AND m look for=v
? a not answer
m find v AND m be !angry | m find v
a explain accident | a say THAT a be !sorry
m forgive a | m not be !angry AND m hug a

a: name | b: name | l: letter.s/postcard.s | t: city_name
a travel to=t @in-S | a arrive in=t @last-week
a visit museum AND a walk through=park
a write l to=b @in-the-evening | a buy l AND a send l to=b
l describe t | l be !long
WHEN b get l THEN b read l ~twice | b open l AND b read l ~slowly
? b be !happy
b show l to=mother | b keep l in=drawer.s
b write answer to=a @on-D | b decide TO visit a

a: name/woman.s/man.s | n: neighbor.s/carpenter.s | h: a's house.s/cottage.s/barn.s | s: storm.s | r: roof.s
s come @last-night | a hear s @in-the-evening
r by damage s | wind break window
? water fall into=kitchen
a find:could not ladder.s AND a call n | a ask n TO repair r | a call n
n bring ladder.s AND n climb r | n come @in-the-morning
n work ~carefully | n repair r with=hammer.s | r by repair n
a cook dinner for=n | a give n coffee
n say THAT r be !strong

a: name/gardener.s | w: rabbit.s/goat.s | f: tulip.p/rose.p/carrot.p/cabbage.p | n: neighbor.s/man.s
a plant f in=garden @in-S | a plant f behind=house.s
a water f @every-morning | f grow ~quickly
w come into=garden AND w eat f | f by eat w | w eat f @in-the-night
a be !angry | a see w AND a run into=garden
a chase w BUT w run ~away
a ask n TO help
n build fence.s | fence.s by build n
? w come ~again BUT w jump:could not over=fence.s | w come ~again BUT gate.s be !closed
a thank n AND a give n f | a be !happy

a: teacher.s | b: student.s/child.s/girl.s/boy.s | p: problem.s/question.s/puzzle.s
a write p on=wall.s | a explain p to=b | a ask b TO solve p
p be !very-difficult | b think THAT p be !too-difficult
b solve:could not p @in-the-morning | b look at=p BUT b understand:could not p
a help b | a explain p ~again
b try ~again | b think BEFORE b answer
b solve p | p by solve b | WHEN a come to=table.s THEN b know answer
a be !proud AND a smile at=b | a praise b
? b tell mother story | b run to=house.s ~happily

a: name | k: book.s/novel.s | d: driver.s | l: librarian.s
a borrow k from=library @on-D | a visit library AND a borrow k
a read k on=the-bus.s | a take bus.s AND a read k
a forget k on=the-bus.s BECAUSE a be !tired | WHEN a leave bus.s THEN a forget k
? a look for=k in=bedroom.s
d find k AND d keep k | k by find d
d bring k to=library @in-the-morning | d give k to=l
l call a | l send letter.s to=a
a return to=library AND a thank l | a be !glad AND a finish k

a: name | b: name | g: a+b | v: boat.s | s: storm.s | w: lake/sea
g want TO catch fish.p | g decide TO row v across=w
a take v AND a carry v to=w | a find v by=w
g row v across=w | a row v WHILE b catch fish.s
b see s | s come ~suddenly
? a be !nervous BUT b not be !nervous
g hide under=the-bridge.s | g row v to=island.s
g wait BEFORE g return | s stop @in-the-evening
g be !wet AND g be !hungry | g make fire.s AND g cook fish.s

a: guard.s | b: captain.s/scientist.s/painter.s | p: painting.s/picture.s/necklace.s | m: museum
p be in=m | a guard p in=m
WHEN a come into=m @on-D THEN p be !missing | a see THAT p be !missing
a call b | a ask b TO help a
b search m AND b look for=p ~everywhere | b examine door.s ~carefully
b find p in=cellar | p by find b in=attic
? p be under=blanket.s
monkey.s steal:had p | clerk.s hide:had p in=box.s
a be !glad AND a thank b | a hang p on=wall.s

a: child.s/girl.s/boy.s/name | c: a's cat.s/kitten.s | t: tree.s/oak.s | n: neighbor.s/man.s/woman.s
c climb t | dog.s chase c AND c climb t
c be !nervous AND c come:could not ~down | c sit in=t AND c not come ~down
a call c | a offer c milk
a ask n TO help | a run to=n
n bring ladder.s | n carry ladder.s to=t
n climb t AND n catch c | n take c ~gently
n give c to=a | c jump from=ladder.s
? c drink milk in=kitchen | c sleep on=sofa.s
a thank n | a be !happy

a: name | b: name/child.s | p: toy.s/watch.s/book.s/violin.s | x: box.s
a buy p for=b @on-D | a find p in=shop
a put p into=x | a wrap p ~carefully
a hide x under=bed.s | a carry x to=house.s
a give x to=b @in-the-morning | WHEN b come into=kitchen THEN a give x to=b
b open x ~quickly | x by open b
b see p AND b laugh | b like p
b thank a | b hug a | b be !very-happy
? b show p to=neighbor.s

a: name | d: doctor.s/nurse.s | m: a's mother.s/father.s/sister.s/brother.s
a be !sick @on-D | a not go to=school BECAUSE a be !sick
m call d | m make tea for=a
d examine a ~carefully | d visit a @in-the-afternoon
d ask a TO rest | d tell a TO drink water
a sleep in=bedroom | a drink tea AND a read book.s
m cook soup for=a | m read story.s to=a
a be !hungry @on-D | a eat soup @in-the-evening
? d be !glad | m thank d

a: name | b: a's bicycle.s/motorcycle.s/car.s | m: mechanic.s/neighbor.s | r: garage
a want TO travel to=lake
b by break storm.s | b be !broken
a push b to=r | a take b to=m
m look at=b | m examine b ~carefully
a wait in=r WHILE m repair:was b | a wait ~patiently
m repair b with=hammer.s | b by repair m ~quickly
a pay m | a thank m AND a pay m
a arrive at=lake @in-the-evening | a be !late BUT a be !happy

a: name/woman.s | k: a's ring.s/necklace.s/coin.s | c: crow.s/bird.s | b: boy.s/man.s | t: tree.s
a put k on=window.s | a forget k in=garden
c see k AND c steal k | k by steal c
c carry k to=t | c fly ~away
a see c BUT a catch:could not c | a look for=k in=kitchen
a ask b TO climb t | b bring ladder.s AND b climb t
b find k in=nest.s | nest.s be !empty BUT k be under=t
b give k to=a | b return k to=a
a be !happy | a give b cake.s

a: farmer.s | c: cow.s/horse.s/goat.s/pony.s | b: child.s/girl.s/boy.s | g: gate.s
a forget TO close g | a not close g @in-the-evening
c leave barn | c see g AND c run ~away
a find:could not c @in-the-morning | a look for=c in=field
? a be !worried
b see c by=river.s | b find c on=hill.s
c eat:was grass | c drink water
b lead c to=barn | b bring c to=a
a close g AND a thank b | a thank b | a give b milk

a: name | b: name/friend.s | t: train.s | c: city_name
a want TO visit c | a plan TO travel to=c
a be !late AND a run to=station | a wake ~late
a miss t | t leave:had BEFORE a arrive
a sit on=bench.s AND a wait | a be !sad
b meet a at=station | a see b by=door.s
b offer coffee to=a | b tell joke.s to=a
? a laugh at=joke.s
a take bus.s to=c | b drive a to=c

a: painter.s/artist.s/photographer.s | b: woman.s/man.s/captain.s | p: portrait.s | s: shop
b visit a @on-D | b want TO buy p
a ask b TO sit by=the-window.s | b sit on=chair.s
a paint p ~slowly | a paint b
b be !tired BUT b not move | b wait ~patiently
a finish p @in-the-evening | p by finish a @on-D
a show p to=b | b look at=p
b say THAT p be !beautiful | b like p
b buy p AND b hang p on=wall.s | b pay a

a: customer.s/tourist.s/name | w: waiter.s | s: soup/stew
a enter restaurant AND a sit by=the-window.s | a visit restaurant @on-D
a order s | a ask w TO bring s
w bring s BUT s be !cold | w spill s on=table.s
? a be !angry BUT a not leave | w be !nervous
a call w | w clean table.s
w return to=kitchen AND w bring bread
a eat s | a finish s ~slowly
a pay w | a thank w AND a leave restaurant

a: name | b: name | g: a+b | o: forest/valley/mountain
g walk to=o @on-D | g explore o
a carry tent.s AND b carry backpack.s | a find cave.s
g build tent.s by=river.s | a build tent.s WHILE b collect wood
b make fire.s | a light fire.s
g cook sausage.p | g eat soup
g hear wolf.s @in-the-night | owl.s wake a
a be !nervous BUT b sleep:was | b look AND b see deer.s
g laugh | g sleep in=tent.s

a: name/girl.s/boy.s | k: a's kite.s/balloon.s | t: tree.s/roof.s | b: a's brother.s/sister.s/uncle.s/aunt.s
a fly k on=hill.s @on-D | a take k to=meadow
wind be !strong | wind carry k ~away
k fall into=t | k hang in=t
a reach:could not k | a throw stone.s AND a miss k
a be !sad | a call b
b climb t AND b find k | b bring ladder.s
b give k to=a | b throw k to=a
? k be !broken BUT b repair k
a laugh | a thank b

a: name/singer.s | b: a's grandmother.s/grandfather.s | p: violin.s/flute.s/trumpet.s | s: song.s
a want TO learn s | a find p in=attic
a play p @every-day | b teach a TO play p
p be !old BUT p be !beautiful | a be !tired BUT a not stop
a play s in=theater @on-D | tourist.p visit theater
b listen to=s | b sit by=door.s AND b listen
? b be !very-proud
b say THAT s be !lovely | b hug a

a: stranger.s/man.s/woman.s | w: wallet.s/purse.s/passport.s | b: guard.s/clerk.s | c: tourist.s/name
c lose w in=street @on-D | c forget w on=bench.s
a find w | w by find a
a open w AND a see money | a not open w
a take w to=station AND a give w to=b | a bring w to=b
b call c | b put w into=safe.s
c come to=station AND c ask b | c arrive @in-the-evening
b return w to=c | b give w to=c
c want TO thank a BUT a leave:had | c thank b

a: name | b: neighbor.s/name | h: house.s/cottage.s | f: table.s/sofa.s/bed.s | x: box.p
a buy h near=lake.s | a find h in=village.s
a carry f into=h | f be !heavy AND a move:could not f
b see a AND b come | b offer TO help a
a+b carry f into=kitchen | b carry x into=h
? x be !heavy | x be !full
a cook dinner for=b | a make coffee
a+b sit in=garden AND a+b talk | b tell story.s to=a

m: mouse.s/rat.s | c: cat.s/kitten.s | k: cook.s/baker.s/woman.s | f: cheese/bread/cake.s
m live in=kitchen | m hide:was under=floor.s
m smell f | k put f on=table.s
WHEN k leave kitchen THEN m steal f | m climb table.s AND m eat f
k be !angry | k see m AND k drop spoon.s
k bring c | k ask neighbor.s TO lend c
c chase m through=kitchen | c see m AND c jump
m run under=stove.s | m hide in=box.s
c catch:could not m AND c sleep | c wait BUT m not come
? m eat f @in-the-night

a: name | b: a's father.s/mother.s/sister.s/friend.s | r: race.s
a want TO win r | a plan TO win r
a run through=park @every-morning | a run along=river.s @every-day
b help a | b buy shoe.p for=a
r begin @in-the-afternoon | a be !nervous BEFORE r begin
? a fall BUT a not stop
a win r | r by win a
b wave to=a | b hug a
a be !proud AND a thank b | a be !tired BUT a be !happy

a: captain.s/sailor.s/pilot.s | i: island.s | c: chest.s/box.s | k: key.s | t: coin.p/ring.p
a see i @on-D | a find map.s AND a look for=i
a leave the-ship.s AND a explore i | a row boat.s to=i
a find c in=cave.s | c be in=cave.s
c be !locked | a open:could not c
a look for=k | a see k under=stone.s
a open c with=k | c by open a
t be in=c | a find t in=c
a take t | a carry c to=the-ship.s AND a laugh

a: name | b: a's sister.s/brother.s/mother.s | l: lamp.s | c: candle.s
a read:was in=bedroom | a write:was letter.s
l break ~suddenly | l be !broken
a see:could not book.s | bedroom be !dark
a call b | a ask b TO bring c
b light c AND b put c on=table.s | b bring c
b repair l @in-the-morning | l by repair b
a thank b | a hug b
? a finish letter.s | a read ~again

a: name | b: a's brother.s/sister.s/father.s/mother.s | c: pony.s/horse.s/donkey.s
b buy c for=a @on-D | b give c to=a
a feed c AND a brush c ~gently | a ride c through=field @every-day
? c be !hungry AND c eat hay
c like a | a love c | c follow a to=school

a: cook.s/waiter.s/name | b: guest.p/tourist.p | s: soup/stew/salad/pasta
a prepare s for=b | a cook s @in-the-evening
b taste s AND b smile at=a | b say THAT s be !delicious
a be !proud | b thank a

a: name | p: pen.s/pencil.s/map.s/umbrella.s/camera.s | b: friend.s/neighbor.s/name
a borrow p from=b @on-D | b lend p to=a
a use p AND a put p into=bag.s | a keep p in=drawer.s
p by lose a | p by break dog.s
a buy camera.s for=b | a explain accident to=b
b forgive a | b laugh AND b forgive a

a: bird.s/owl.s/robin.s/sparrow.s | c: child.s/girl.s/boy.s/name | n: nest.s
a build n in=garden | a fall from=n
c find a under=tree.s | c see a BUT c not touch a
c call father | c tell mother THAT a be !hungry
c give a bread | c feed a @every-morning
a sing:was in=tree.s @on-D | a fly ~away

a: name | b: a's grandmother.s/grandfather.s/uncle.s/aunt.s | s: story.s/letter.s/book.s | c: city_name
b live in=c | a visit b in=c @in-S
b read s to=a @in-the-evening
s be !long AND a be !tired
a sleep ~soon | a listen AND a laugh

a: plumber.s/mechanic.s/engineer.s | b: name | m: pipe.s/stove.s/engine.s/clock.s
m break @last-night
b find:could not hammer.s | b repair:could not m
b call a AND a come | a by call b
a repair m ~quickly | a look at=m AND a laugh
b pay a | b offer coffee to=a

a: name | b: name | g: a+b | s: song.s/tune.s | p: piano.s/guitar.s/violin.s
a play p WHILE b sing:was s | g want TO learn s
g play s @every-evening | b teach a s
g play s in=theater @on-D | guest.p listen to=s
g be !nervous BUT s be !beautiful | tourist.p like s
g be !proud

a: lawyer.s/secretary.s/judge.s/reporter.s | r: report.s/contract.s/letter.s | b: clerk.s/captain.s/engineer.s
a write r in=office | a read r ~carefully
a find mistake.s in=r | r be !long AND r be !difficult
a call b | a send r to=b
b explain mistake.s to=a | b read r AND b call a
? a be !angry
a finish r @in-the-evening | r by finish a

d: dog.s/fox.s | h: hen.s/goose.s/duck.s | f: farmer.s | b: barn
h sit:was in=b | h live in=b
d come @in-the-night AND d chase h | d see h AND d chase h through=yard
h hide on=roof.s | h run into=b
f hear d AND f open window.s | f wake AND f run to=b
d run ~away | d by chase f
h be !safe | f close b AND f count egg.p

a: tourist.s/guest.s | b: taxi.s/bus.s/train.s | d: driver.s | c: city_name
a take b to=c | a arrive in=c @on-D
a ask d TO stop at=hotel | d stop at=museum
a forget suitcase.s in=b | a pay d
d find suitcase.s AND d return to=hotel | d see suitcase.s AND d call a
a thank d | a be !glad AND a give d money
"""
