/**
 * The program in a context's container: one interpreter whose variables persist across commands. It receives requests on a socket, one line
 * of JSON each, and keeps the result of a command until the next one starts, so that a jar that was killed meanwhile can fetch it.
 */
export const DRIVER = String.raw`import ast, base64, io, json, linecache, os, queue, re, signal, socket, subprocess, sys, threading, traceback
from cloudjar_display import display, png_of, shown

SOCKET = '/tmp/.cloudjar-context'
OPENED = SOCKET + '.opened'
MOST_CHARACTERS = 1024 * 1024

class Cancelled(BaseException):
    pass

class NotebookExit(BaseException):
    pass

class Command:
    def __init__(self):
        self.pieces = {}
        self.is_queued = False
        self.is_cancelled = False
        self.result = None
        self.done = threading.Event()

class Output(io.TextIOBase):
    def __init__(self):
        self.parts, self.size, self.truncated = [], 0, False
    def writable(self):
        return True
    def write(self, text):
        room = MOST_CHARACTERS - self.size
        if len(text) > room:
            self.truncated = True
        if room > 0:
            self.parts.append(text[:room])
            self.size += min(len(text), room)
        return len(text)
    def text(self):
        return ''.join(self.parts)

lock = threading.Lock()
commands = {}
waiting = queue.Queue()
running = None

def interrupted(_signal, _frame):
    command = running
    if command is not None and command.is_cancelled:
        raise Cancelled()

signal.signal(signal.SIGINT, interrupted)

class Widgets:
    def __init__(self):
        self._values = {}
    def text(self, name, defaultValue='', label=None):
        self._values.setdefault(name, str(defaultValue))
    def dropdown(self, name, defaultValue, choices=None, label=None):
        self._values.setdefault(name, str(defaultValue))
    combobox = dropdown
    multiselect = dropdown
    def get(self, name):
        if name not in self._values:
            raise ValueError('No input widget named ' + name + ' is defined')
        return self._values[name]
    def getAll(self):
        return dict(self._values)
    def remove(self, name):
        self._values.pop(name, None)
    def removeAll(self):
        self._values.clear()

class Notebook:
    def exit(self, value=''):
        raise NotebookExit(str(value))

class DbUtils:
    widgets = Widgets()
    notebook = Notebook()

space = {'__name__': '__main__', '__builtins__': __builtins__, 'display': display, 'displayHTML': print, 'dbutils': DbUtils()}

def failed(name, message, cause):
    escaped = message.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
    summary = '<span class="ansi-red-fg">' + name + '</span>: ' + escaped[:10000]
    return {'resultType': 'error', 'summary': summary, 'cause': cause[-MOST_CHARACTERS:]}

def run_python(number, text):
    name = '<command-%d>' % number
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    tree = ast.parse(text, name, 'exec')
    last = tree.body.pop().value if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, 'exec'), space)
    if last is None:
        return
    value = eval(compile(ast.fix_missing_locations(ast.Expression(last)), name, 'eval'), space)
    if value is None:
        return
    space['_'] = value
    image = png_of(value) if not isinstance(value, (bytes, bytearray)) else None
    if image is not None:
        display(value)
    else:
        print(repr(value))

def run_shell(text, output):
    text = re.sub(r'^\s*%sh\b([ \t]+-e\b)?', '', text)
    process = subprocess.Popen(['sh', '-c', text], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        while True:
            chunk = process.stdout.read1(65536)
            if not chunk:
                break
            output.write(chunk.decode('utf-8', 'replace'))
        code = process.wait()
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    if code == 0:
        return None
    said = output.text()
    summary = '<span class="ansi-red-fg">The previous command exited with status %d.</span>' % code
    return {'resultType': 'error', 'summary': summary, 'cause': said if said else 'exit status %d' % code}

def own_frames(trace):
    while trace is not None and trace.tb_frame.f_code.co_filename in (__file__, ast.__file__):
        trace = trace.tb_next
    return trace

def run(number, command, output):
    text = ''.join(command.pieces[at] for at in sorted(command.pieces))
    if re.match(r'\s*%sh\b', text):
        problem = run_shell(text, output)
        if problem:
            return problem
    else:
        try:
            run_python(number, re.sub(r'^\s*%python\b[ \t]*\r?\n?', '', text))
        except NotebookExit as exit:
            output.write('Notebook exited: ' + str(exit))
        except Cancelled:
            raise
        except BaseException as error:
            kind = type(error)
            try:
                message = str(error)
            except Exception:
                message = ''
            trace = ''.join(traceback.format_exception(kind, error, own_frames(error.__traceback__)))
            said = output.text()
            return failed(kind.__name__, message, said + trace)
    if shown['table']:
        return shown['table']
    names = ['data:image/png;base64,' + base64.b64encode(each).decode() for each in shown['images']]
    if len(names) == 1:
        return {'resultType': 'image', 'fileName': names[0]}
    if names:
        return {'resultType': 'images', 'fileNames': names}
    data = output.text()
    result = {'resultType': 'text', 'data': data[:-1] if data.endswith('\n') else data}
    if output.truncated:
        result['truncated'] = True
    return result

def finish(command, result):
    with lock:
        command.result = result
        command.pieces = {}
    command.done.set()

def work():
    global running
    number = 0
    while True:
        command = waiting.get()
        number += 1
        output = Output()
        shown['table'], shown['images'] = None, []
        result = {'cancelled': True}
        outside = sys.stdout, sys.stderr
        try:
            sys.stdout = sys.stderr = output
            running = command
            if not command.is_cancelled:
                result = run(number, command, output)
            running = None
        except Cancelled:
            pass
        except BaseException as error:
            result = failed(type(error).__name__, str(error), traceback.format_exc())
        finally:
            running = None
            sys.stdout, sys.stderr = outside
        finish(command, result)

def reply(request):
    key = request['id']
    with lock:
        command = commands.setdefault(key, Command())
        if not command.is_queued:
            for name in [name for name, other in commands.items() if other.done.is_set()]:
                del commands[name]
        if 'text' in request and not command.is_queued:
            command.pieces[request.get('at', 0)] = request['text']
        if request['do'] == 'cancel':
            command.is_cancelled = True
            if running is command:
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            return {}
        if request['do'] == 'put':
            return {}
        if not command.is_queued:
            command.is_queued = True
            waiting.put(command)
    command.done.wait()
    return command.result

def answer(connection):
    try:
        with connection, connection.makefile('rwb') as stream:
            line = stream.readline()
            stream.write(json.dumps(reply(json.loads(line))).encode())
            stream.flush()
    except OSError:
        pass

def listen(server):
    while True:
        connection, _address = server.accept()
        threading.Thread(target=answer, args=(connection,), daemon=True).start()

os.makedirs(os.path.dirname(SOCKET), exist_ok=True)
for name in (OPENED, SOCKET):
    if os.path.exists(name):
        os.unlink(name)
server = socket.socket(socket.AF_UNIX)
server.bind(SOCKET)
server.listen(64)
# Tells later requests that the socket existed, in case user code removes it.
open(OPENED, 'w').close()
threading.Thread(target=listen, args=(server,), daemon=True).start()
work()
`;
