/**
 * Prepended to a program that runs in a container with Python: `dbutils` with widgets, task values and `notebook.exit`, which report by
 * output lines with a prefix (`output.ts`).
 */
export const PYTHON_PRELUDE = `import builtins, json, os, runpy, sys
_mark = '::cloudjar::'
with open('/cloudjar/parameters.json') as _f:
    _given = json.load(_f)

class _Exit(BaseException):
    pass

class _Widgets:
    def __init__(self):
        self._defaults = {}
    def text(self, name, defaultValue='', label=None):
        self._defaults[name] = defaultValue
    def dropdown(self, name, defaultValue, choices=None, label=None):
        self._defaults[name] = defaultValue
    combobox = dropdown
    multiselect = dropdown
    def get(self, name):
        if name in _given['named']:
            return _given['named'][name]
        if name in self._defaults:
            return self._defaults[name]
        raise ValueError('No input widget named ' + name + ' is defined')
    def getAll(self):
        return {**self._defaults, **_given['named']}
    def remove(self, name):
        self._defaults.pop(name, None)
    def removeAll(self):
        self._defaults.clear()

class _TaskValues:
    def set(self, key, value):
        print(_mark + 'value ' + json.dumps({'key': key, 'value': value}), flush=True)
    def get(self, taskKey, key, default=None, debugValue=None):
        return debugValue if debugValue is not None else default

class _Notebook:
    def exit(self, value=''):
        print(_mark + 'exit ' + json.dumps(str(value)), flush=True)
        raise _Exit()

class _Jobs:
    taskValues = _TaskValues()

class _DbUtils:
    widgets = _Widgets()
    jobs = _Jobs()
    notebook = _Notebook()

builtins.dbutils = _DbUtils()
if not sys.argv[1].endswith('notebook.json'):
    sys.argv = sys.argv[1:]
    try:
        runpy.run_path(sys.argv[0], run_name='__main__')
    except _Exit:
        pass
`;

/** Runs the cells of a notebook one after another in one namespace. */
export const NOTEBOOK_RUNNER = `
if sys.argv[1].endswith('notebook.json'):
    import subprocess
    with open(sys.argv[1]) as _f:
        _cells = json.load(_f)
    _space = {'__name__': '__main__', 'dbutils': builtins.dbutils}
    try:
        for _cell in _cells:
            if _cell['language'] == 'python':
                exec(compile(_cell['text'], 'notebook', 'exec'), _space)
            elif _cell['language'] == 'sh':
                subprocess.run(['sh', '-c', _cell['text']], check=True)
    except _Exit:
        pass
`;
