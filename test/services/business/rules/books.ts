import { expect } from 'vitest';
import type { Reply } from '../../../support/jars.ts';
import { type Books, errorOf } from '../support.ts';

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Record = any;

/** Short forms for operations on the books. */
export interface Ledger {
  act(set: string, id: string, action: string): Promise<Reply>;
  /** Runs the action and expects success. */
  done(set: string, id: string, action: string): Promise<void>;
  one(set: string, number: string): Promise<Record>;
  read(set: string, id: string): Promise<Record>;
  all(path: string): Promise<Record[]>;
  lines(set: string, id: string, lines: string): Promise<Record[]>;
  entries(documentNumber: string): Promise<{ [account: string]: number }>;
  netChange(account: string): Promise<number>;
}

export function ledgerOf(books: () => Books): Ledger {
  const act = (set: string, id: string, action: string) =>
    books().post(`${set}(${id})/Microsoft.NAV.${action}`, undefined);
  const all = async (path: string): Promise<Record[]> => {
    const reply = await books().get(path);
    expect(reply.status, reply.text).toBe(200);
    return reply.body.value;
  };
  return {
    act,
    all,
    async done(set, id, action) {
      const reply = await act(set, id, action);
      expect(reply.status, reply.text).toBe(204);
    },
    async one(set, number) {
      const key = /^(accounts|items|customers|vendors|sales|purchase)/.test(set) ? 'number' : 'code';
      const [found] = await all(`${set}?$filter=${key} eq '${number}'`);
      expect(found, `${set} ${number}`).toBeDefined();
      return found;
    },
    async read(set, id) {
      const reply = await books().get(`${set}(${id})`);
      expect(reply.status, reply.text).toBe(200);
      return reply.body;
    },
    lines: (set, id, lines) => all(`${set}(${id})/${lines}`),
    async entries(documentNumber) {
      const rows = await all(`generalLedgerEntries?$filter=documentNumber eq '${documentNumber}'`);
      const amounts: { [account: string]: number } = {};
      for (const { accountNumber, debitAmount, creditAmount } of rows) {
        amounts[accountNumber] = Math.round(((amounts[accountNumber] ?? 0) + debitAmount - creditAmount) * 100) / 100;
      }
      return amounts;
    },
    netChange: async (number) => (await all(`accounts?$filter=number eq '${number}'`))[0].netChange,
  };
}

/** Expects a refusal by a business rule. */
export function expectRefusal(reply: Reply, message: RegExp | string, code = 'Application_DialogException'): void {
  expect(reply.status, reply.text).toBe(400);
  const error = errorOf(reply);
  expect(error.code).toBe(code);
  expect(error.message).toMatch(message);
}
