import { afterEach, expect } from 'vitest';
import { foreignWaits } from '../../src/kernel/store/transaction-guard.ts';

/** A transaction that awaits anything but the store fails the test in which it happens, even where its error is swallowed. */
afterEach(() => {
  expect(foreignWaits.splice(0)).toEqual([]);
});
