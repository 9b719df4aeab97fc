import { Type } from 'typebox';
import { mutate } from '../../../kernel/arm/index.ts';
import { ok } from '../../../kernel/http/index.ts';
import { containerErrors } from '../errors.ts';
import { armCode } from '../jar.ts';
import { CONTAINER_PARAMS, findContainer, startedTarget } from './find-container.ts';
import { openSession } from './sessions.ts';

const LONGEST_COMMAND = 4_096;
const DEFAULT_SIZE = { rows: 24, cols: 80 };
/** Tools send the size of their terminal, or 0 if they have none. */
const Side = Type.Integer({ minimum: 0, maximum: 10_000 });

export const SessionSchema = Type.Object({ webSocketUri: Type.String(), password: Type.String() });

export const exec = armCode(CONTAINER_PARAMS, {
  body: Type.Object({
    command: Type.String({ minLength: 1, maxLength: LONGEST_COMMAND }),
    terminalSize: Type.Optional(Type.Object({ rows: Type.Optional(Side), cols: Type.Optional(Side) })),
  }),
  responses: { 200: SessionSchema },
  async handle(call, arm) {
    const found = await findContainer(call, arm);
    const { command, terminalSize } = call.body;
    if (/\s|\0/.test(command)) {
      throw containerErrors.InvalidExecCommand({ command: command.slice(0, 100) }, { target: 'command' });
    }
    const target = startedTarget(found);
    const size = { rows: terminalSize?.rows || DEFAULT_SIZE.rows, cols: terminalSize?.cols || DEFAULT_SIZE.cols };
    const session = { kind: 'exec', key: found.key, ...target, command, ...size } as const;
    return ok(await mutate(call, (tx) => openSession(tx, call, session)));
  },
});
