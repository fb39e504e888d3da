"""Generic mistakes: wrong axis, inverted mask, sum for mean, off by one, tried on every reference.

Each operator offers other syntax for a piece of the reference's, with a sentence that says what was
done, not where: it is true of whatever gives the same results, however it is written.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lib.exercises.mistakes import Edit, WrongVersion, rebuilt, source_of

ALONG = {
    "softmax", "log_softmax", "sum", "mean", "max", "min", "amax", "amin", "argmax", "argmin", "std", "var",
    "norm", "cumsum", "cumprod", "sort", "argsort", "topk", "logsumexp", "any", "all", "prod", "unbind",
    "cat", "stack", "concat", "unsqueeze", "repeat_interleave", "gather", "normalize", "median",
}  # fmt: skip
JOINING = {"cat", "stack", "concat", "gather"}  # whose dimension is the second argument
OTHERS = {
    "sum": ("mean",), "mean": ("sum",), "max": ("min",), "min": ("max",), "amax": ("amin",),
    "amin": ("amax",), "argmax": ("argmin",), "argmin": ("argmax",), "std": ("var",), "var": ("std",),
    "any": ("all",), "all": ("any",), "sin": ("cos",), "cos": ("sin",), "sigmoid": ("tanh",),
    "tanh": ("sigmoid",), "softmax": ("log_softmax",), "log_softmax": ("softmax",), "tril": ("triu",),
    "triu": ("tril",), "log": ("log2", "log10"), "ceil": ("floor",), "floor": ("ceil",),
    "zeros": ("ones",), "ones": ("zeros",), "zeros_like": ("ones_like",), "ones_like": ("zeros_like",),
    "append": ("insert",), "startswith": ("endswith",), "endswith": ("startswith",),
}  # fmt: skip
UNARY = {"sqrt", "rsqrt", "exp", "log", "abs", "square", "sorted", "reversed", "set", "float", "int", "round",
         "relu", "gelu", "tanh", "sigmoid", "softmax", "log_softmax", "dropout", "tril", "triu", "flip",
         "strip", "lower", "LayerNorm", "dense", "clamp"}  # fmt: skip
TRANSPOSES = {"transpose", "permute", "mT", "T", "t", "swapaxes"}
NEARLY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
INVERTED = "if a mask or a condition is the wrong way round."
SCALARS = (ast.Name, ast.Attribute, ast.Call, ast.BinOp, ast.Constant)

Change = tuple[str, str, ast.AST | None]  # a name, a sentence, what stands there instead


def variants(reference: Any, alike: Iterable[Edit] = ()) -> Iterator[WrongVersion]:
    """Every wrong version that an operator makes of a function or class, or of one of `alike`.

    `alike` are edits that make right versions of it, written otherwise. Of what is not written in Python
    there are none.
    """
    try:
        source = source_of(reference)
    except (OSError, TypeError):
        return
    for text in (source, *(other.source(source) for other in alike)):
        tree = ast.parse(text)
        silent = {id(part) for node in ast.walk(tree) for some in _silent(node) for part in ast.walk(some)}
        changes = [(node, change) for node in ast.walk(tree) for change in _changes(node)]
        changes += [pair for node in ast.walk(tree) for pair in _other_names(node)]
        for node, (name, says, other) in changes:
            if id(node) not in silent:
                changed = _replaced(tree, node, ast.Pass() if other is None else copy.deepcopy(other))
                version = rebuilt(reference, {reference.__name__: changed})
                yield WrongVersion(name, f"What comes out is what one gets {says}", version)


def _other_names(node: ast.AST) -> Iterator[tuple[ast.AST, Change]]:
    """Another of a function's own names, wherever one is read."""
    if not isinstance(node, ast.FunctionDef):
        return
    args = node.args
    parameters = {arg.arg for arg in [*args.posonlyargs, *args.args, *args.kwonlyargs]} - {"self"}
    parts = [part for statement in node.body for part in ast.walk(statement) if isinstance(part, ast.Name)]
    own = parameters | {part.id for part in parts if isinstance(part.ctx, ast.Store)}
    added_to = {part: name for statement in node.body for part, name in _additions(statement)}
    for part in parts:
        for other in sorted(own - {part.id}) if part.id in own and isinstance(part.ctx, ast.Load) else ():
            if added_to.get(part) == other:
                continue  # a list that holds itself ends torch.tensor, and the process with it
            what = f"`{other}`" if other in parameters else "a result on the way"
            says = f"if {what} is taken where another one is meant."
            yield part, ("wrong_name", says, ast.Name(other, ast.Load()))


def _additions(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Of each `rows.append(row)`: both names, each with what would make the list hold itself."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name) as rows, attr="append" | "extend"),
                args=[ast.Name(id=added) as row],
            ):
                yield from ((row, name), (rows, added))


def _changes(node: ast.AST) -> Iterator[Change]:
    for operator in OPERATORS:
        yield from operator(node)


def _silent(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that say nothing about a result: types, decorators, what is raised."""
    match node:
        case ast.FunctionDef():
            annotations = [a.annotation for a in ast.walk(node.args) if isinstance(a, ast.arg)]
            return [part for part in [*annotations, node.returns, *node.decorator_list] if part is not None]
        case ast.AnnAssign():
            return [node.annotation]
        case ast.Raise():
            return [node]
    return []


def _replaced(tree: Any, old: ast.AST, new: ast.AST) -> Any:
    """A copy of a tree with one node replaced."""
    if tree is old:
        return new
    if isinstance(tree, list):
        return [_replaced(part, old, new) for part in tree]
    if not isinstance(tree, ast.AST):
        return tree
    other = copy.copy(tree)
    for field, value in ast.iter_fields(tree):
        setattr(other, field, _replaced(value, old, new))
    return other


def _called(node: ast.AST) -> str:
    """The last name of what is called."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _integer(node: ast.AST | None) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _integer(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def _but(node: Any, **fields: Any) -> Any:
    """A copy of a node with other fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _replaced_at(items: list[Any], at: int, new: Any) -> list[Any]:
    return [*items[:at], new, *items[at + 1 :]]


# --- the operators --------------------------------------------------------------------------------


def wrong_axis(node: ast.AST) -> Iterator[Change]:
    """Over another dimension."""
    if not isinstance(node, ast.Call) or (name := _called(node)) not in ALONG:
        return
    function = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
    module = function and node.func.value.id in ("torch", "F", "np")  # type: ignore[attr-defined]
    at = 1 if module or name in JOINING else 0
    for other in (-1, -2, -3, 0, 1):
        says = f"if {name} works along dimension {other}: write down the shape it is given."
        for k, word in enumerate(node.keywords):
            if word.arg in ("dim", "axis") and _integer(word.value) not in (None, other):
                new = _replaced_at(node.keywords, k, _but(word, value=ast.Constant(other)))
                yield "wrong_axis", says, _but(node, keywords=new)
        if len(node.args) > at and _integer(node.args[at]) not in (None, other):
            yield "wrong_axis", says, _but(node, args=_replaced_at(node.args, at, ast.Constant(other)))


def another_function(node: ast.AST) -> Iterator[Change]:
    """Sum for mean, max for min, tril for triu."""
    name = _called(node)
    if not isinstance(node, ast.Call):
        return
    for other in OTHERS.get(name, ()):
        says = f"with {other} where {name} is meant."
        if isinstance(node.func, ast.Attribute):
            yield f"{other}_for_{name}", says, _but(node, func=_but(node.func, attr=other))
        elif other in ("min", "max", "any", "all", "sum"):
            yield f"{other}_for_{name}", says, _but(node, func=ast.Name(other, ast.Load()))


def left_out(node: ast.AST) -> Iterator[Change]:
    """A function that is not applied, a turn that is not made."""
    if isinstance(node, ast.Attribute) and node.attr in ("mT", "T"):
        yield "not_turned", "if a matrix is not turned over.", node.value
    if not isinstance(node, ast.Call):
        return
    name = _called(node)
    method = isinstance(node.func, ast.Attribute)
    if name in TRANSPOSES and isinstance(node.func, ast.Attribute):
        yield "not_turned", "if two dimensions are not exchanged.", node.func.value
    if name in UNARY:
        if node.args and isinstance(node.args[0], ast.expr):
            yield f"without_{name}", f"without {name}.", node.args[0]
        elif method:
            yield f"without_{name}", f"without {name}.", node.func.value  # type: ignore[attr-defined]


def arithmetic(node: ast.AST) -> Iterator[Change]:
    """A term or factor missing, an operation turned around, operands exchanged."""
    if not isinstance(node, ast.BinOp):
        return
    left, right = node.left, node.right
    swapped = _but(node, left=right, right=left)
    match node.op:
        case ast.Div():
            yield "not_divided", "if nothing is divided where it should be.", left
            yield "multiplied_for_divided", "by multiplying where to divide.", _but(node, op=ast.Mult())
            yield "upside_down", "if a fraction stands upside down.", swapped
        case ast.Mult():
            yield "factor_missing", "if a factor is missing.", left
            yield "factor_missing", "if a factor is missing.", right
            yield "divided_for_multiplied", "by dividing where to multiply.", _but(node, op=ast.Div())
        case ast.Add():
            yield "term_missing", "if one of two parts is not added.", left
            yield "term_missing", "if one of two parts is not added.", right
            yield "sign_turned", "by subtracting where to add.", _but(node, op=ast.Sub())
            yield "order_turned", "if two parts are joined in the other order.", swapped
        case ast.Sub():
            yield "not_subtracted", "if nothing is taken off where something should be.", left
            yield "sign_turned", "by adding where to subtract.", _but(node, op=ast.Add())
            yield "order_turned", "if a difference is taken the other way round.", swapped
        case ast.MatMult():
            yield "order_turned", "if two matrices are multiplied in the other order.", swapped
        case ast.Pow():
            for power in (-1, -0.5, 0.5, 1, 2):
                says = f"with the power {power} where another is meant."
                yield "wrong_power", says, _but(node, right=ast.Constant(power))
        case ast.BitAnd() | ast.BitOr():
            joined = ast.BitOr() if isinstance(node.op, ast.BitAnd) else ast.BitAnd()
            yield "and_for_or", "with `or` for `and`, or the reverse.", _but(node, op=joined)
            for part in (left, right):
                yield "condition_missing", "if one of several conditions is left out.", part
        case ast.FloorDiv() | ast.Mod():
            other = ast.Mod() if isinstance(node.op, ast.FloorDiv) else ast.FloorDiv()
            yield "rest_for_quotient", "with a rest for a quotient, or the reverse.", _but(node, op=other)


def off_by_one(node: ast.AST) -> Iterator[Change]:
    """A count, a place or a bound, one too many or too few."""
    for by, words in ((1, "one too large"), (-1, "one too small")):
        for shifted in (_shifted_count, _shifted_place, _shifted_operand, _shifted_diagonal):
            for other in shifted(node, by):
                yield "off_by_one", f"if a count, a place or a bound is {words}.", other


def _shifted_count(node: ast.AST, by: int) -> Iterator[ast.AST]:
    """Where a range begins or ends."""
    if isinstance(node, ast.Call) and _called(node) in ("range", "arange", "randint", "randrange"):
        for k, value in enumerate(node.args):
            yield _but(node, args=_replaced_at(node.args, k, _plus(value, by)))
    if isinstance(node, ast.keyword) and node.arg == "start":
        yield _but(node, value=_plus(node.value, by))


def _shifted_place(node: ast.AST, by: int) -> Iterator[ast.AST]:
    """An index, or where a slice begins or ends."""
    if isinstance(node, ast.Slice):
        for bound in ("lower", "upper"):
            if (value := getattr(node, bound)) is not None:
                yield _but(node, **{bound: _plus(value, by)})
    if isinstance(node, ast.Subscript) and _integer(node.slice) is not None:
        yield _but(node, slice=_plus(node.slice, by))


def _shifted_operand(node: ast.AST, by: int) -> Iterator[ast.AST]:
    """What something is compared with, added, taken off or divided."""
    ordered = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ordered):
        yield _but(node, comparators=[_plus(node.comparators[0], by)])
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Div, ast.FloorDiv)):
        if isinstance(node.right, SCALARS):
            yield _but(node, right=_plus(node.right, by))
        if isinstance(node.op, ast.Div):
            yield _but(node, left=_plus(node.left, by))


def _shifted_diagonal(node: ast.AST, by: int) -> Iterator[ast.AST]:
    """The diagonal up to which a triangle is kept: named, or 0 where tril or triu has no such argument."""
    if isinstance(node, ast.keyword) and node.arg in ("diagonal", "k"):
        yield _but(node, value=_plus(node.value, by))
    if isinstance(node, ast.Call) and _called(node) in ("tril", "triu"):
        function = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "torch"
        if len(node.args) == function and not node.keywords:
            yield _but(node, args=[*node.args, ast.Constant(by)])


def _plus(value: ast.expr, by: int) -> ast.expr:
    return ast.BinOp(value, ast.Add() if by > 0 else ast.Sub(), ast.Constant(1))


def conditions(node: ast.AST) -> Iterator[Change]:
    """A mask or a condition inverted, or one of several left out."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Invert, ast.Not)):
        yield "inverted", INVERTED, node.operand
    if isinstance(node, ast.IfExp):
        yield "inverted", INVERTED, _but(node, body=node.orelse, orelse=node.body)
        yield "one_case_alone", "if only one of two cases is thought of.", node.body
        yield "one_case_alone", "if only one of two cases is thought of.", node.orelse
    if isinstance(node, ast.Call) and _called(node) == "where" and len(node.args) == 3:
        first, second, third = node.args
        yield "inverted", INVERTED, _but(node, args=[first, third, second])
    if isinstance(node, ast.Call) and _called(node) == "masked_fill" and len(node.args) == 2:
        mask = ast.UnaryOp(ast.Invert(), node.args[0])
        yield "inverted", INVERTED, _but(node, args=[mask, node.args[1]])
    if isinstance(node, ast.BoolOp):
        op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and_for_or", "with `or` for `and`, or the reverse.", _but(node, op=op)
        for k in range(len(node.values)):
            rest = _but(node, values=node.values[:k] + node.values[k + 1 :])
            says = "if one of several conditions is left out."
            yield "condition_missing", says, rest if len(node.values) > 2 else rest.values[0]


def comparisons(node: ast.AST) -> Iterator[Change]:
    """A comparison inverted, or a boundary on the wrong side."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    comparison = type(node.ops[0])
    if comparison in NEARLY:
        says = "if what lies exactly on a boundary goes to the wrong side."
        yield "boundary", says, _but(node, ops=[NEARLY[comparison]()])
    if comparison in OPPOSITES:
        yield "inverted", INVERTED, _but(node, ops=[OPPOSITES[comparison]()])


def steps(node: ast.AST) -> Iterator[Change]:
    """A step that is not made: a new value for a name that has one, a change, a condition's block."""
    says = "if one step is left out, or its result is not kept."
    if isinstance(node, (ast.AugAssign, ast.If, ast.Delete)):
        yield "step_left_out", says, None
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Name, ast.Subscript)):
        target = node.targets[0]
        read = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
        if isinstance(target, ast.Subscript) or target.id in read:
            yield "step_left_out", says, None
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "step_left_out", says, None
    if isinstance(node, ast.If) and not node.orelse:
        yield (
            "always_done",
            "if something is done always that depends on a condition.",
            _but(node, test=ast.Constant(True)),
        )


def slices(node: ast.AST) -> Iterator[Change]:
    """A slice without one of its bounds, or none at all."""
    if isinstance(node, ast.Slice):
        for bound in ("lower", "upper", "step"):
            if getattr(node, bound) is not None:
                yield "bound_missing", "if a slice has no such bound.", _but(node, **{bound: None})


def calls(node: ast.AST) -> Iterator[Change]:
    """Arguments exchanged or left out."""
    if not isinstance(node, ast.Call):
        return
    name = _called(node)
    for k in range(len(node.args) - 1):
        pair = [node.args[k + 1], node.args[k]]
        args = [*node.args[:k], *pair, *node.args[k + 2 :]]
        yield "arguments_swapped", f"if two arguments of {name} are exchanged.", _but(node, args=args)
    for k, word in enumerate(node.keywords):
        if word.arg is not None:
            rest = node.keywords[:k] + node.keywords[k + 1 :]
            says = f"if {name} is called without `{word.arg}`."
            if word.arg in ("correction", "unbiased"):
                says = (
                    "with the variance of a sample (over n - 1) where that of the numbers is meant (over n)."
                )
            yield f"without_{word.arg}", says, _but(node, keywords=rest)
    if len(node.args) == 2 and isinstance(node.func, (ast.Name, ast.Attribute)):
        says = f"if {name} is called without its last argument."
        yield "argument_missing", says, _but(node, args=node.args[:1])


def returned(node: ast.AST) -> Iterator[Change]:
    """The parts of what is returned in another order, or one of them alone."""
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
        parts = node.value.elts
        if len(parts) == 2:
            turned = _but(node.value, elts=parts[::-1])
            yield (
                "returns_swapped",
                "if the two parts come back in the other order.",
                _but(node, value=turned),
            )
        for part in parts:
            yield "returns_one_part", "if only one of the parts comes back.", _but(node, value=part)


OPERATORS: tuple[Callable[[ast.AST], Iterator[Change]], ...] = (
    *(wrong_axis, another_function, left_out, arithmetic, conditions, comparisons, steps),
    *(returned, calls, slices, off_by_one),
)
