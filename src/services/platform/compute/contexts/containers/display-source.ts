/** `display` of a context: the last table that it receives, or all images, become the result of the command. */
export const DISPLAY = String.raw`import io, json, math

MOST_ROWS = 10000
MOST_IMAGE_BYTES = 4 * 1024 * 1024
shown = {'table': None, 'images': []}

def plain(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2 ** 53 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if hasattr(value, 'item') and callable(value.item):
        try:
            return plain(value.item())
        except Exception:
            return str(value)
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return str(value)

TYPES = [(bool, 'boolean'), (int, 'long'), (float, 'double'), (str, 'string')]

def type_of(column):
    known = {next((name for kind, name in TYPES if isinstance(each, kind)), 'string') for each in column if each is not None}
    if len(known) == 1:
        return known.pop()
    return 'double' if known == {'long', 'double'} else 'string'

def rows_of(value):
    if hasattr(value, 'columns') and hasattr(value, 'values') and hasattr(value, 'index'):
        names = [str(name) for name in value.columns]
        return names, [[plain(each) for each in row] for row in value.head(MOST_ROWS + 1).values.tolist()]
    if not isinstance(value, (list, tuple)) or not value:
        return None
    rows = value[:MOST_ROWS + 1]
    if all(isinstance(row, dict) for row in rows):
        names = list(dict.fromkeys(str(name) for row in rows for name in row))
        return names, [[plain({str(k): v for k, v in row.items()}.get(name)) for name in names] for row in rows]
    if all(isinstance(row, (list, tuple)) for row in rows):
        fields = getattr(rows[0], '_fields', None)
        width = max(len(row) for row in rows)
        names = [str(name) for name in fields] if fields else ['_' + str(at + 1) for at in range(width)]
        return names, [[plain(each) for each in row] + [None] * (width - len(row)) for row in rows]
    if all(isinstance(row, (bool, int, float, str, type(None))) for row in rows):
        return ['value'], [[plain(row)] for row in rows]
    return None

def png_of(value):
    if isinstance(value, (bytes, bytearray)) and bytes(value[:8]) == b'\x89PNG\r\n\x1a\n':
        return bytes(value)
    if hasattr(value, '_repr_png_'):
        return value._repr_png_()
    if hasattr(value, 'savefig'):
        buffer = io.BytesIO()
        value.savefig(buffer, format='png')
        return buffer.getvalue()
    return None

def display(value=None, *_more, **_options):
    image = png_of(value)
    if image is not None:
        if sum(len(each) for each in shown['images']) + len(image) > MOST_IMAGE_BYTES:
            raise ValueError('the images of a command have at most %d bytes' % MOST_IMAGE_BYTES)
        shown['images'].append(image)
        return
    table = rows_of(value)
    if table is None:
        print(value)
        return
    names, rows = table
    columns = list(zip(*rows)) if rows else [() for _ in names]
    shown['table'] = {
        'resultType': 'table',
        'data': rows[:MOST_ROWS],
        'schema': [{'name': name, 'type': json.dumps(type_of(column)), 'metadata': '{}'} for name, column in zip(names, columns)],
        'truncated': len(rows) > MOST_ROWS,
        'isJsonSchema': True,
    }
`;
