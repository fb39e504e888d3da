"""Hand-ins that mean harm: to the machine, to the grader, to the other hand-ins, or to the truth.

OUTSIDE and CLASS in their code stand for a folder that is none of their business, and for the folder of the
hand-ins.
"""

from __future__ import annotations

import json

from sabotage.hand_ins import ALL, NAME, RIGHT, SIGNATURE, Case, does

WRONG = "return torch.softmax(query @ key.mT * 0, -1) @ value, torch.softmax(query @ key.mT * 0, -1)"
VERDICT = json.dumps(
    {"passed": True, "message": "right", "mistake": None, "status": "passed", "details": "", "seconds": 0.0}
)
DAEMON = (
    "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(1000)\n    os._exit(0)"
)
WALK = """
frame = sys._getframe()
while frame:
    for found in list(frame.f_locals.values()) + list(frame.f_globals.values()):
        if hasattr(found, 'send_bytes') and not isinstance(found, type):
            found.send_bytes(VERDICT)
    frame = frame.f_back
""".strip().replace("VERDICT", repr(VERDICT.encode()))
SCAN = """
for number in range(3, 64):
    try:
        os.write(number, MESSAGE)
    except OSError:
        pass
""".strip()
FRAMED = f"struct.pack('!i', {len(VERDICT)}) + {VERDICT.encode()!r}"


def claims(lines: str, status: str = "failed") -> Case:
    """A wrong answer that does something to pass for a right one."""
    return Case((ALL, SIGNATURE + "".join(f"    {line}\n" for line in (*lines.split("\n"), WRONG))), status)


HOSTILE = {
    # to its own process
    "exits_from_a_thread": does(
        "threading.Thread(target=os._exit, args=(0,)).start()\ntime.sleep(9)", "died"
    ),
    "abort": does("os.abort()", "died"),
    "kills_itself": does("os.kill(os.getpid(), 9)", "died"),
    "stops_itself": does("os.kill(os.getpid(), signal.SIGSTOP)", "timeout"),
    "alarm": does("signal.alarm(1)\ntime.sleep(9)", "died"),
    "endless_recursion": does("sys.setrecursionlimit(10**9)\nf = lambda: f()\nf()", "died|error|memory"),
    "endless_printing": does("while True: print('x' * 1000)", "timeout"),
    "endless_at_exit": does("import atexit\natexit.register(time.sleep, 1000)", "passed"),
    "huge_message": does("raise ValueError('x' * 10**8)", "error|timeout|memory"),
    "lone_surrogate": does("raise ValueError('\\ud800 \\x00 \\x1b[31m')", "error"),
    "formula": does("raise type('=1+1', (Exception,), {})('=1+1')", "error"),
    # to the machine
    "memory_of_a_child": does(
        "subprocess.run([sys.executable, '-c', 'x = b\"1\" * 2**32; input()'], stdin=-1)", "memory"
    ),
    "fork_bomb": does("for i in range(400):\n    if os.fork() == 0:\n        time.sleep(1000)", "memory"),
    "threads_without_end": does(
        "for i in range(300): threading.Thread(target=time.sleep, args=(1000,)).start()", "passed|memory"
    ),
    "daemon": does(DAEMON, "passed"),
    "daemon_of_a_shell": does("subprocess.run('nohup sleep 1000 &', shell=True)", "passed"),
    "fills_the_disk": does("with open('x', 'wb') as f:\n    while True: f.write(b'x' * 2**22)", "error"),
    "thousand_files": does("for i in range(1000): open(str(i), 'w').close()", "passed"),
    "deep_folders": does("for i in range(300):\n    os.mkdir('d')\n    os.chdir('d')", "passed|error"),
    "deletes_its_folder": does("shutil.rmtree(os.getcwd(), ignore_errors=True)", "passed|error"),
    "locks_its_folder": does(
        "os.makedirs('a/b', exist_ok=True)\nos.chmod('a', 0)\nos.chmod('.', 0)", "passed|error"
    ),
    "moves_away": does("os.chdir('/')", "passed"),
    "deletes_home": does("shutil.rmtree(os.path.expanduser('~'), ignore_errors=True)", "passed"),
    "writes_outside": does("open('OUTSIDE/trace', 'w').close()", "error"),
    "deletes_outside": does("shutil.rmtree('OUTSIDE')", "error"),
    "calls_out": does("import socket\nsocket.create_connection(('127.0.0.1', PORT), 2)", "error"),
    # to the grader and the others
    "kills_all_it_can": does("os.kill(-1, 9)\ntime.sleep(9)", "died"),
    "kills_its_parent": does("os.kill(os.getppid(), 9)\ntime.sleep(9)", "died"),
    "stops_all_above": does(
        "for pid in range(1, os.getpid()):\n"
        "    if os.path.exists(f'/proc/{pid}'): os.kill(pid, signal.SIGSTOP)",
        "passed",
    ),
    "deletes_the_class": does("shutil.rmtree('CLASS', ignore_errors=True)", "passed"),
    "reads_a_neighbor": Case((ALL, f"{NAME} = 3\nopen('CLASS/good_plain/05_attention.ipynb')"), "failed"),
    "half_a_message": does(f"{SCAN.replace('MESSAGE', repr(b'@@@'))}\ntime.sleep(1000)", "died|timeout"),
    # to the truth
    "fakes_by_frames": claims(WALK, "died"),
    "fakes_by_descriptors": claims(SCAN.replace("MESSAGE", FRAMED), "died"),
    "patches_torch": claims("torch.equal = torch.allclose = lambda *given, **options: True"),
    "patches_the_check": claims("from lib.exercises import compare\ncompare.agree = lambda *given: True"),
    "copies_the_source": Case(
        (
            ALL,
            f"import inspect\nspace = dict(vars(attention))\n"
            f"exec(inspect.getsource(attention.{NAME}), space)\n{NAME} = space['{NAME}']",
        ),
        "copied",
    ),
}
LINKS = {"link_to_a_neighbor": "good_plain/05_attention.ipynb", "link_to_nothing": "nowhere"}
NAMES = {  # of folders, as bytes
    b"not utf-8 \xff\xfe": "passed",
    b"two\nlines": "passed",
    b"=HYPERLINK(1)": "passed",
    b"-1+1": "passed",
    b"'quoted', and \"so\"": "passed",
    "\N{SNOWMAN} \u202e".encode(): "passed",
    b"n" * 200: "passed",
}
BLANK_LINES = Case((ALL, "\n" * 60_000 + RIGHT), "passed")
