import { later } from '../../time/timers.ts';

/** After the start, which has better things to do. */
const BEGIN_AFTER_MS = 2000;
const MOST_PROBLEMS = 5;

/** On a thread of its own, since the whole file is read. */
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
  /** Told once what is wrong; never where nothing is. */
  damaged(reason: string): void;
}

/** Reads a database through while others use it. Gives the function that calls it off. */
export function checkIntegrity({ file, damaged }: IntegrityCheck): () => void {
  let end = (): void => {};
  const cancel = later(BEGIN_AFTER_MS, () => {
    // Loaded here: most databases are new, and have nothing to be checked.
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
