import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { syncTask } from '../../../../../src/services/platform/jobs/running/work.ts';
import { withJar } from '../../../../support/jars.ts';
import { person } from '../../support.ts';
import { createJob, getRun, runNow, task } from '../support.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloudjar-task-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The snapshot file of a jar in which a task runs in a container of an engine. */
function inContainer(file: string): string {
  const [header = '', ...lines] = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  const end = JSON.parse(lines.pop() ?? '');
  const found = lines.findIndex((line) => line.startsWith('["d","platform.task_runs"'));
  const [kind, collection, key, etag, document] = JSON.parse(lines[found] ?? '');
  const execution = { by: 'container', uid: 'a-uid', image: 'busybox' };
  lines[found] = JSON.stringify([kind, collection, key, etag, { ...document, execution }]);
  const { id, kind: of, dueAt, payload } = syncTask(key, 0);
  const work = {
    id,
    kind: of,
    payload: JSON.stringify(payload),
    reason: null,
    due_at: dueAt,
    seq: 1,
    attempts: 0,
    state: 0,
  };
  const dueFrom = lines.findIndex((line) => line.startsWith('["w"') || line.startsWith('["c"'));
  const documents = lines.slice(0, dueFrom);
  const content = [...documents, `["w",${JSON.stringify(work)}]`];
  const sha256 = createHash('sha256')
    .update(content.map((line) => `${line}\n`).join(''))
    .digest('hex');
  const counts = { ...end.counts, documents: documents.length, work: 1, changes: 0 };
  const target = join(folder, 'in-container.cloudjar.gz');
  writeFileSync(target, gzipSync(`${[header, ...content, JSON.stringify({ ...end, sha256, counts })].join('\n')}\n`));
  return target;
}

withJar((bench) => {
  it('a task whose program is missing in a restored snapshot file ends with the reason', async () => {
    const ask = await person(bench);
    const run = await runNow(ask, await createJob(ask, { name: 'j', tasks: [task('t', 'sleep 1000')] }));
    const file = join(folder, 'simulated.cloudjar.gz');
    await bench.jar.export(file, { portable: true });
    await bench.jar.import(inContainer(file));
    await bench.jar.clock.advance('1s');
    const { state, tasks } = await getRun(ask, run);
    expect(state).toMatchObject({ life_cycle_state: 'TERMINATED', result_state: 'FAILED' });
    expect(JSON.stringify(tasks[0])).toContain('does not contain the program of the task');
  });
});
