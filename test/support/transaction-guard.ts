import { afterEach, expect } from 'vitest';
import { foreignWaits } from '../../src/kernel/store/transaction-guard.ts';

/** A transaction that awaits anything but the store fails its test, even if its error is swallowed. */
afterEach(() => {
  expect(foreignWaits.splice(0)).toEqual([]);
});
