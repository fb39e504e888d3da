"""Sets the course up and starts it. Nothing has to be there beforehand but Python 3.11 or newer.

    python course.py lab 05             open JupyterLab on your own copies of the notebooks, in my/, at
                                        notebook 05, or without a number at 00 (--lecturer: with notes
                                        for lecturers, in my/lecturer/; --port 8890; --no-browser;
                                        --from course.zip: install from a pack, without a network)
    python course.py reset 05           start over with notebook 05; your old copy is kept beside it
    python course.py test               run the tests (half an hour; --fast 7 minutes)
    python course.py bench              measure speed, import time and memory, and print a table
    python course.py records list       the recorded experiments: list, show, run
    python course.py cache build        make what several notebooks share: build, clear
    python course.py ledger             what each way to make BERT small reached, and what it costs
    python course.py pretrain --help    pretrain a BERT on text of your own
    python course.py finetune --help    fine-tune a BERT on a task, and test it
    python course.py compress --help    make a fine-tuned model smaller, and measure what that costs

For lecturers:

    python course.py list               the exercises, and the mistakes that their checks know
    python course.py solve 05 -o solved write the solved edition of notebook 05
    python course.py slides 05 -o decks write notebook 05 as slides, which need no network
    python course.py questions 05 -o decks
                                        write notebook 05's questions for a vote
    python course.py exam 05 10 --seed 7 -o exam
                                        write an exam, its solutions, and both for Moodle
    python course.py grade hand-ins     judge a folder of hand-ins, and write grades.csv
    python course.py pack course.zip    the course and all that it installs, for a room without a network
    python course.py contest hand-ins   weigh, run and rank the files of notebook 33's contest

For maintainers:

    python course.py site -o site       write the course as pages for a browser, to read without installing
    python course.py refresh 05         run notebook 05 solved, and store its outputs
    python course.py glossary           write docs/glossary.md from the notebooks
    python course.py seminar            write docs/seminar from tools/papers
    python course.py new 05 NAME        write the skeleton of an exercise and of its answers
    python course.py make --help        make a model of data/ anew

The first call makes a virtual environment in .venv, beside this file, and installs the course into
it. That needs the network, some minutes, and 2 to 3 GB (more on Linux with an NVIDIA GPU). Later
calls start at once and need no network. Add --help to a command to see its options.

On Linux without an NVIDIA card it takes PyTorch's small build, where pip finds it, and otherwise asks
for the address. pip's own settings count (PIP_INDEX_URL, PIP_EXTRA_INDEX_URL, PIP_PROXY, ...), and
BERT_COURSE_VENV names another folder for the environment.
"""

# Only the standard library is imported here, and the syntax is that of Python 3.6, so that a Python of
# the last years says that it is too old instead of showing a syntax error.
import sys

if sys.version_info < (3, 11):
    sys.exit(
        "The course needs Python 3.11 or newer, and this is Python %d.%d: start course.py with a "
        "newer one, for example `python3.12 course.py lab`." % sys.version_info[:2]
    )

import argparse
import contextlib
import difflib
import errno
import hashlib
import itertools
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import tempfile
import time
import zipfile
from pathlib import Path

# Those of `python -m tools`, which cannot be asked before it is installed.
COMMANDS = (
    "lab", "reset", "test", "bench", "records", "cache", "ledger", "pretrain", "finetune", "compress",
    "list", "solve", "slides", "questions", "exam", "grade", "contest", "pack",
    "site", "refresh", "glossary", "seminar", "new", "make",
)  # fmt: skip

QUICK = ("test", "records", "cache", "ledger", "new")  # to their first word it is less than a second

# What is installed for these alone, and what that is called.
EXTRAS = {"test": ["test", "site"], "site": ["site"]}
NEEDED = {"test": "the tests need", "site": "the site needs"}

# These take the number of one.
OF_NOTEBOOKS = ("lab", "reset", "solve", "slides", "questions", "exam", "refresh")

HERE = Path(__file__).resolve().parent
ENVIRONMENT = Path(os.environ.get("BERT_COURSE_VENV") or HERE / ".venv").absolute()
WHEELS = HERE / "wheels"  # of an unpacked pack; elsewhere there are none
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = ENVIRONMENT / "course.json"  # written last: an interrupted installation has none
LOCK = ENVIRONMENT.with_name(ENVIRONMENT.name + ".lock")  # beside it: the environment may be cleared


def refusal(command):
    """The sentence for a word that is no command; None for a command."""
    if command in COMMANDS:
        return None
    near = difflib.get_close_matches(command, COMMANDS, 1)
    meant = "Did you mean %s?" % near[0] if near else "There are %s." % ", ".join(COMMANDS)
    return "course.py has no command %r. %s Try `python course.py --help`." % (command, meant)


def refusal_of_notebook(arguments):
    """The sentence for a number that no notebook has; None where all is well, or nothing is said of one."""
    numbers = sorted(path.name[:2] for path in (HERE / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    if arguments[0] not in OF_NOTEBOOKS or not numbers:
        return None
    for before, asked in itertools.pairwise(arguments):
        is_number = asked.isdigit() and not before.startswith("-")  # behind an option stands its value
        if is_number and asked.zfill(2) not in numbers:
            return "There is no notebook %s: they are %s to %s." % (asked, numbers[0], numbers[-1])
    return None


@contextlib.contextmanager
def installing_from(pack):
    """Lets pip install from a pack, a ZIP or one that was unpacked here, and from nothing else."""
    if pack is None and not (WHEELS / "pack.json").exists():
        yield
        return
    with contextlib.ExitStack() as opened:
        wheels = WHEELS if pack is None else unpacked(pack, opened)
        refuse_pack(wheels / "pack.json")
        os.environ.update(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(wheels))
        yield


def unpacked(pack, opened):
    """The folder with the wheels of a ZIP, which goes when `opened` is closed."""
    try:
        archive = opened.enter_context(zipfile.ZipFile(pack))
        constraints = archive.read("bert-inside-out/constraints.txt").decode("utf-8")
    except (OSError, zipfile.BadZipFile, KeyError) as error:
        sys.exit("%s is no pack of the course, or a damaged one (%s)." % (pack, error))
    if constraints.splitlines() != (HERE / "constraints.txt").read_text(encoding="utf-8").splitlines():
        sys.exit(
            "%s holds another version of the course than this folder: unpack it, and use that one." % pack
        )
    folder = opened.enter_context(tempfile.TemporaryDirectory(dir=str(HERE), prefix=".wheels."))
    names = [name for name in archive.namelist() if name.startswith("bert-inside-out/wheels/")]
    print("Unpacking %d wheels" % len(names))
    archive.extractall(folder, names)
    return Path(folder, "bert-inside-out", "wheels")


def refuse_pack(card):
    """Ends with a sentence where a pack is damaged, or was made for other machines than this one."""
    here = {
        "system": platform.system(), "machine": platform.machine(), "python": "%d.%d" % sys.version_info[:2]
    }  # fmt: skip
    told = "%(system)s on %(machine)s with Python %(python)s"
    try:
        made = json.loads(card.read_text(encoding="utf-8"))
        made_for = told % made
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit("The pack is damaged: its pack.json doesn't say whom it serves (%s)." % error)
    if made != here:
        sys.exit(
            "This pack is for %s, and here is %s: make one on a machine like this, with "
            "`python course.py pack course.zip`." % (made_for, told % here)
        )


def try_lock(file):
    """Takes the lock on an open file, which goes with this process; False where another has it."""
    if os.name == "nt":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EDEADLK):
                raise
            return False
    else:
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:  # some network disks, at universities above all
            if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP):
                raise
            print("This disk has no locks: start no second course.py until this one has set it up.")
    return True


@contextlib.contextmanager
def one_at_a_time():
    """Waits until no other course.py sets up the same environment, and says so if it has to."""
    LOCK.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(str(LOCK), os.O_RDWR | os.O_CREAT)
    try:
        if not try_lock(file):
            print(
                "Another course.py is setting up %s: this one waits until it has finished, which "
                "may take some minutes." % ENVIRONMENT
            )
            while not try_lock(file):
                time.sleep(0.2)
        yield
    finally:
        os.close(file)


def python_version():
    """The version of the environment's Python as "3.12"; None if it does not start or lacks pip."""
    probe = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([str(PYTHON), "-I", "-c", probe], capture_output=True, text=True)
    except OSError:
        return None
    return answer.stdout.strip() if answer.returncode == 0 else None


def read_stamp():
    """What the last complete installation wrote; an empty dict where there was none, or it is damaged."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
        texts = stamp["extras"] + [stamp["home"], stamp["fingerprint"]]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return stamp if all(isinstance(text, str) for text in texts) else {}


def fingerprint(version):
    """A text that changes when the course has to be installed again."""
    digest = hashlib.sha256(version.encode())
    for name in ("pyproject.toml", "constraints.txt"):
        # Line by line: git on Windows may check the same file out with other line ends.
        digest.update("\n".join((HERE / name).read_text(encoding="utf-8").splitlines()).encode())
    return digest.hexdigest()


def refuse_read_only():
    """Ends with a sentence where nothing can be written."""
    above = next(folder for folder in ENVIRONMENT.parents if folder.exists())
    for folder in (HERE, above):
        if not os.access(str(folder), os.W_OK):
            sys.exit(
                "%s cannot be written to, so the course cannot be installed there: copy the course "
                "to a folder of your own, or mend the rights of this one." % folder
            )


def refuse_what_is_in_the_way():
    """Ends with a sentence where the environment's place belongs to something else."""
    ours = (ENVIRONMENT / "pyvenv.cfg").exists()
    if ENVIRONMENT.exists() and not ours and (not ENVIRONMENT.is_dir() or any(ENVIRONMENT.iterdir())):
        sys.exit(
            "%s is in the way: it is no virtual environment, but a file or a folder with files. Move "
            "it, or set BERT_COURSE_VENV to a folder that the course may use instead." % ENVIRONMENT
        )


def make_environment():
    """Makes the virtual environment, over a broken one if need be; returns its Python's version."""
    print("Making a virtual environment in %s" % ENVIRONMENT)
    # The Python underneath, in case this one itself lives in the environment to be replaced.
    base = getattr(sys, "_base_executable", None) or sys.executable
    made = subprocess.run([base, "-m", "venv", "--clear", str(ENVIRONMENT)], capture_output=True, text=True)
    version = python_version() if made.returncode == 0 else None
    if version is None:
        print(made.stdout + made.stderr, end="")
        sys.exit(
            "The virtual environment could not be made; the reason stands above. On Debian and "
            "Ubuntu, install the package python3-venv. If a program is still using %s, close it. "
            "Then run the same command again." % ENVIRONMENT
        )
    return version


def install(extras):
    """Installs the course, editable, in the versions that constraints.txt names."""
    what = str(HERE) + ("[%s]" % ",".join(extras) if extras else "")
    pip = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check"]
    if pip_is_silent():  # while it installs, which takes minutes
        subprocess.run(pip + ["--quiet", "--upgrade", "pip"])
    command = pip + ["-c", str(HERE / "constraints.txt"), "-e", what] + small_pytorch(pip)
    if subprocess.run(command).returncode != 0:
        advice = "Is this machine online? Is the disk full? Does PIP_PROXY have to name a proxy?"
        if sys.platform == "darwin" and os.uname().machine == "x86_64":
            advice = "PyTorch no longer runs on Macs with an Intel processor, so neither does this."
        sys.exit(
            "Installing did not finish; pip's reason stands above. %s "
            "Then run the same command again." % advice
        )


def small_pytorch(pip):
    """What to tell pip so that PyTorch comes without GPU libraries, where it would bring them for nothing.

    Where pip's own settings name a place that has the small build, pip prefers it, and nothing is to be said.
    """
    has_card = shutil.which("nvidia-smi") or Path("/proc/driver/nvidia").exists()
    if (sys.platform, platform.machine()) != ("linux", "x86_64") or has_card or is_installed("torch"):
        return []
    if os.environ.get("PIP_NO_INDEX"):  # the pack has one build, and there is nothing else to look at
        return []
    version = re.search(
        r"^torch==(\S+)", (HERE / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    look = pip + ["--dry-run", "--no-deps", "--ignore-installed", "torch==%s+cpu" % version[1]]
    if subprocess.run(look, capture_output=True).returncode == 0:
        return []
    print(
        "This machine has no NVIDIA card, and pip's usual PyTorch for Linux brings 4 GB of libraries for "
        "one. There is a small build: open PyTorch's page, pytorch.org, choose Get started, then Pip and "
        "CPU, and copy the address that it shows behind --index-url."
    )
    while sys.stdin.isatty():
        address = input("Paste the address, or press Enter to take the large one: ").strip()
        if not address:
            break
        place = ["--extra-index-url", address]
        if subprocess.run(look + place, capture_output=True).returncode == 0:
            return place
        print("pip finds no PyTorch %s without GPU libraries there." % version[1])
    print("pip takes the large build.")
    return []


def is_installed(package):
    """Whether the environment has a package."""
    probe = "import importlib.util, sys; sys.exit(importlib.util.find_spec(%r) is None)" % package
    return subprocess.run([str(PYTHON), "-I", "-c", probe]).returncode == 0


def pip_is_silent():
    """Whether the environment's pip is older than 25.1, the first with a bar for installing."""
    probe = "import pip; print('.'.join(pip.__version__.split('.')[:2]))"
    answer = subprocess.run([str(PYTHON), "-I", "-c", probe], capture_output=True, text=True)
    try:
        return tuple(map(int, answer.stdout.strip().split("."))) < (25, 1)
    except ValueError:
        return False


def is_ready(extras):
    """Whether the environment works, belongs to this folder, and has all that it should."""
    version, stamp = python_version(), read_stamp()
    if version is None or not set(extras) <= set(stamp.get("extras", [])):
        return False
    return stamp.get("home") == str(HERE) and stamp.get("fingerprint") == fingerprint(version)


def set_up(extras):
    """Brings the environment up to date, if it is not; one process at a time."""
    if is_ready(extras):
        return
    refuse_read_only()
    with one_at_a_time():
        if not is_ready(extras):  # the one before may have done it
            renew(extras)


def refuse_what_another_course_uses(stamp):
    """Ends with a sentence where the environment is that of another folder which is still there."""
    other = Path(stamp.get("home", HERE))
    copied = HERE in ENVIRONMENT.parents  # with its folder, by a reader: the other's lies elsewhere
    if other != HERE and other.is_dir() and not copied:
        sys.exit(
            "%s is the environment of another copy of the course, in %s: set BERT_COURSE_VENV to another "
            "folder for this one." % (ENVIRONMENT, other)
        )


def renew(extras):
    """Installs what is missing, in a new environment where the old one does not work."""
    stamp = read_stamp()
    refuse_what_another_course_uses(stamp)
    version = python_version()
    moved = stamp.get("home", str(HERE)) != str(HERE)
    if version is None or moved or tuple(map(int, version.split("."))) < (3, 11):
        if PYTHON.parent.exists():
            print(
                "The environment no longer works (its folder was moved, its Python is gone or too "
                "old, or making it was interrupted): it is made anew."
            )
        refuse_what_is_in_the_way()
        version, stamp = make_environment(), {}
    print(
        "%s You may interrupt it and run the same command again later."
        % (
            "Installing what %s, too: about a minute." % NEEDED["test" if "test" in extras else "site"]
            if stamp.get("fingerprint") == fingerprint(version)
            else "Installing the course: 5 to 15 minutes the first time, 2 to 3 GB."
        )
    )
    before = STAMP.read_text(encoding="utf-8") if stamp else None
    if STAMP.exists():
        STAMP.unlink()  # an interrupted installation has none
    wanted = sorted(set(stamp.get("extras", [])).union(extras))
    try:
        install(wanted)
    except SystemExit as failed:  # pip has put back what was there
        if before is None:
            raise
        STAMP.write_text(before, encoding="utf-8")
        if not set(extras) <= set(stamp["extras"]):
            raise
        print("%s\nUntil then the course goes on with what was installed before." % failed)
        return
    current = {"home": str(HERE), "fingerprint": fingerprint(version), "extras": wanted}
    beside = STAMP.with_suffix(".new")
    beside.write_text(json.dumps(current), encoding="utf-8")
    os.replace(str(beside), str(STAMP))


def line_of_help(command):
    """What the help above says of one command."""
    return re.search(r"^    python course\.py %s .*\n(?: {30}.*\n)*" % command, __doc__, re.MULTILINE)[
        0
    ].rstrip()


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(__doc__.strip())
        return 0
    refused = refusal(arguments[0]) or refusal_of_notebook(arguments)  # before anything is installed
    if refused:
        print(refused, file=sys.stderr)
        return 2
    asks_for_help = bool({"-h", "--help"}.intersection(arguments))
    if asks_for_help and not is_ready([]):
        print(
            "%s\n\nMore of %s is shown once the course is installed, as by `python course.py lab`."
            % (line_of_help(arguments[0]), arguments[0])
        )
        return 0
    sys.stdout.reconfigure(line_buffering=True)  # what is printed here stands above pip's output
    if arguments[0] not in QUICK and not asks_for_help:  # what others print may go to a file
        print("One moment.", file=sys.stdout if arguments[0] == "lab" else sys.stderr)
    pack = None
    if arguments[0] == "lab" and not asks_for_help:
        option = argparse.ArgumentParser("python course.py lab", add_help=False, allow_abbrev=False)
        option.add_argument("--from", dest="pack", metavar="ZIP")
        known, arguments = option.parse_known_args(arguments)
        pack = known.pack
    wanted = [] if asks_for_help else EXTRAS.get(arguments[0], [])
    if not is_ready(wanted):
        if wanted and (WHEELS / "pack.json").exists():
            sys.exit("The pack doesn't hold what %s: use a clone, with a network." % NEEDED[arguments[0]])
        with installing_from(pack):
            set_up(wanted)
    # -P: a folder called tools where the reader happens to stand must not be taken for ours.
    command = [str(PYTHON), "-P", "-m", "tools"] + arguments
    if os.name != "nt":
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # until the new program can say what Ctrl+C means
        os.execv(command[0], command)  # the same process: signals and exit status pass as they are
    process = subprocess.Popen(command)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the child has received Ctrl+C too, and decides what it means


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("Interrupted. Run the same command again to go on.")
    except OSError as error:
        sys.exit(
            "The course could not be set up: %s (%s). Mend that, then run the same command again."
            % (error.strerror or error, error.filename or ENVIRONMENT)
        )
