/**
 * Sends one request to the driver in its container and prints the reply, in base64 between two markers, since a terminal is in between. If
 * a driver that has opened its socket no longer has it, or cannot be reached for a minute, it never will be: the user's code has removed
 * the socket.
 */
export const ASK = String.raw`import base64, os, socket, sys, time

SOCKET = '/tmp/.cloudjar-context'
connection = socket.socket(socket.AF_UNIX)
until = time.monotonic() + 60
while True:
    # Checked first: the driver may open its socket between the two checks.
    was_opened = os.path.exists(SOCKET + '.opened')
    try:
        connection.connect(SOCKET)
        break
    except OSError as error:
        is_removed = was_opened and isinstance(error, FileNotFoundError)
        if is_removed or time.monotonic() > until:
            sys.exit('::cloudjar::unreachable')
        time.sleep(0.1)
connection.sendall(base64.b64decode(sys.argv[1]) + b'\n')
parts = []
while True:
    part = connection.recv(65536)
    if not part:
        break
    parts.append(part)
text = base64.b64encode(b''.join(parts)).decode()
sys.stdout.write('::cloudjar::begin\n')
for at in range(0, len(text), 1000):
    sys.stdout.write(text[at:at + 1000] + '\n')
sys.stdout.write('::cloudjar::end\n')
sys.stdout.flush()
`;
