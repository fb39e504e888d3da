"""What happens in the short stories of `lib.text.grammar`.

A plot begins with its roles: a letter and the kinds that it is drawn from (`lib.text.grammar.lexicon`),
with `a's` before them where it is somebody's. A line is a sentence: who, a verb, what else. `in=r` is a
phrase with its preposition, `!sad` an adjective, `~slowly` an adverb, `@on-Monday` a time; `fall:had`
sets a tense (see `TENSES`), `by` makes a passive of a verb. `TO` and `THAT` begin a clause inside the
clause; other words in capitals join two clauses, and `WHEN ... THEN` puts the first one first. `?` before
a line: it is told in half of the stories. Of lines joined by `|` one is told.
"""

TENSES = {
    "had": "past perfect",
    "was": "past progressive",
    "would": "would",
    "could": "could",
    "will": "will",
    "is": "present",
}

PLOTS = """
a: name | b: name/friend/neighbor.s | k: a's valuable.s/ring.s | r: room/garden | c: box.s/chair.s/sofa.s
a lose k in=r | a find:could not k | WHEN a come into=r THEN a find:could not k
a look ~everywhere BUT a not find k | a look ~everywhere
? a be !worried | a be !sad
a ask b TO help
b look under=c AND b find k | b find k under=c | k be under=c
b give k to=a | b bring k to=a
a be !happy AND a thank b | a thank b

a: name | d: a's dog.s/puppy.s | w: rabbit.s/cat.s | o: park/forest/meadow | b: woman.s/man.s | t: tree.s
a take d to=o @on-D | a walk through=o with=d
WHEN d see w THEN d bark ~loudly AND d run ~away | d chase w through=o
? w hide behind=t | w climb t
a call d BUT d not come
? a be !worried | a wait by=t
b find d by=t | b see d behind=t
b bring d to=a | b lead d to=a
a thank b | a be !happy AND a thank b

a: baker.s/name | b: child.s/girl.s/boy.s | c: cake.s/pie.s | f: apple.p/cherry.p/plum.p | r: kitchen
a want TO bake c | a decide TO bake c for=b
a buy f at=market AND a wash f ~carefully | a buy f AND a cut f with=knife
a bake c in=oven
? r be !warm
b come into=r AND b smell c | WHEN b come into=r THEN b see c
b ask a TO cut c | b want TO eat c
c by eat ~quickly | b eat c ~happily
? b thank a | b say THAT c be !delicious
"""
