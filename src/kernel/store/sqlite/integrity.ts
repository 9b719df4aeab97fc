import { later } from '../../time/timers.ts';

/** Delayed, so that it does not slow down the start. */
const BEGIN_AFTER_MS = 2000;
const MOST_PROBLEMS = 5;

/** Runs in a thread, because it reads the whole file. */
const CHECK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  try {
    const database = new DatabaseSync(workerData.file, { readOnly: true, timeout: 5000 });
    const found = database.prepare('PRAGMA integrity_check(' + workerData.most + ')').all();
    database.close();
    parentPort.postMessage(found.map((row) => String(row.integrity_check)));
  } catch (error) {
    parentPort.postMessage([error.message]);
  }`;

export interface IntegrityCheck {
  readonly file: string;
  /** Called at most once, with the problems found. */
  damaged(reason: string): void;
}

/** Checks a whole database while it is in use. Returns a function that cancels the check. */
export function checkIntegrity({ file, damaged }: IntegrityCheck): () => void {
  let end = (): void => {};
  const cancel = later(BEGIN_AFTER_MS, () => {
    // Imported here: most databases are new and need no check.
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const thread = new Worker(CHECK, { eval: true, workerData: { file, most: MOST_PROBLEMS } });
    thread.unref();
    thread.once('message', (found: readonly string[]) => {
      if (found.length !== 1 || found[0] !== 'ok') damaged(found.join('; '));
    });
    thread.once('error', (error) => damaged(`it could not be checked: ${String(error)}`));
    end = () => void thread.terminate();
  });
  return () => {
    cancel();
    end();
  };
}
