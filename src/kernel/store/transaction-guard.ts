import { nextTurn } from '../time/timers.ts';
import type { Store, Tx } from './types.ts';

/** Set in tests: a transaction that awaits anything but the store fails. */
const SWITCH = 'CLOUDJAR_TRANSACTION_GUARD';

/** The violations found, so that a test run can fail even if the error was swallowed. */
export const foreignWaits: string[] = [];

/**
 * A transaction blocks all other writers (SQLite) or holds locks and a connection (PostgreSQL), so its body must await nothing but `tx`: no
 * `import()`, no timer, no file, no hash on another thread. If the guard is on, a body fails when a turn of the event loop passes without a
 * pending call of `tx`.
 */
export function guardTransactions(store: Store): Store {
  if (process.env[SWITCH] !== '1') return store;
  const transact = store.transact.bind(store);
  return Object.assign(store, {
    transact: <R>(body: (tx: Tx) => Promise<R>): Promise<R> => transact((tx) => watched(tx, body)),
  });
}

async function watched<R>(tx: Tx, body: (tx: Tx) => Promise<R>): Promise<R> {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  let pending = 0;
  let moves = 0;
  let isOver = false;
  let last = 'its beginning';
  const listen = (): void => {
    const mark = moves;
    nextTurn(() => {
      if (isOver || pending > 0 || mark !== moves) return;
      const message = `a transaction awaits something other than the store after ${last}`;
      foreignWaits.push(message);
      reject(new Error(message));
    });
  };
  const listening: ProxyHandler<object> = {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (name === 'tables' && typeof member === 'object' && member !== null) return new Proxy(member, listening);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        moves += 1;
        const result: unknown = member.apply(target, args);
        if (!(result instanceof Promise)) return result;
        pending += 1;
        return result.finally(() => {
          pending -= 1;
          moves += 1;
          last = `${String(name)}(${describe(args[0])})`;
          listen();
        });
      };
    },
  };
  const own = new Proxy<Tx>(tx, listening);
  listen();
  try {
    return await Promise.race([body(own), refused]);
  } finally {
    isOver = true;
  }
}

/** Returns the name of the collection that was read or written. */
const describe = (first: unknown): string => {
  const name = typeof first === 'object' && first !== null && 'name' in first ? first.name : '';
  return typeof name === 'string' ? name : '';
};
