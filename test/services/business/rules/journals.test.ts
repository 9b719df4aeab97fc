import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { type Books, openBooks } from '../support.ts';
import { expectRefusal, ledgerOf } from './books.ts';

onAnyStore(
  'journals',
  (bench) => {
    let books: Books;
    let count = 0;
    const ledger = ledgerOf(() => books);
    beforeEach(async () => {
      books ??= await openBooks(bench);
    });

    const newJournal = (body: object = {}) =>
      books.make('journals', { code: `J${++count}`, displayName: 'A journal', ...body });

    const line = (journal: { id: string }, body: object) => books.make(`journals(${journal.id})/journalLines`, body);

    it('lines are numbered, dated and named by themselves', async () => {
      const journal = await newJournal();
      expect(await line(journal, { accountNumber: '6210', amount: 12.345 })).toMatchObject({
        journalId: journal.id,
        journalDisplayName: journal.code,
        lineNumber: 10000,
        accountType: 'G_x002F_L_x0020_Account',
        description: 'Office Supplies',
        postingDate: '2026-03-16',
        amount: 12.35,
      });
      const { documentNumber } = (await ledger.lines('journals', journal.id, 'journalLines'))[0];
      expect(documentNumber).toMatch(/^G\d+$/);
      expect(await line(journal, { accountNumber: '1130', amount: -12.35 })).toMatchObject({
        lineNumber: 20000,
        documentNumber,
      });
    });

    it('lines take the balancing account of their journal', async () => {
      const journal = await newJournal({ balancingAccountNumber: '1130' });
      const made = await line(journal, { accountNumber: '6220', amount: 40 });
      expect(made).toMatchObject({ balancingAccountNumber: '1130' });
      const before = [await ledger.netChange('6220'), await ledger.netChange('1130')] as const;
      await ledger.done('journals', journal.id, 'post');
      expect(await ledger.entries(made.documentNumber)).toEqual({ 6220: 40, 1130: -40 });
      expect([await ledger.netChange('6220'), await ledger.netChange('1130')]).toEqual([
        before[0] + 40,
        before[1] - 40,
      ]);
      expect(await ledger.lines('journals', journal.id, 'journalLines')).toEqual([]);
    });

    it('posts to customers, vendors and employees as well', async () => {
      const customer = await books.make('customers', { displayName: 'Prepays' });
      const vendor = await books.make('vendors', { displayName: 'Refunds' });
      const [employee] = await ledger.all('employees?$top=1');
      const journal = await newJournal();
      await line(journal, { accountType: 'Customer', accountId: customer.id, amount: -100, documentNumber: 'PRE-1' });
      await line(journal, { accountType: 'Vendor', accountNumber: vendor.number, amount: 30, documentNumber: 'PRE-1' });
      await line(journal, { accountType: 'Employee', accountId: employee.id, amount: -5, documentNumber: 'PRE-1' });
      await line(journal, { accountNumber: '1110', amount: 75, documentNumber: 'PRE-1' });
      await ledger.done('journals', journal.id, 'post');
      expect(await ledger.entries('PRE-1')).toEqual({ 1310: -100, 2310: 30, 2510: -5, 1110: 75 });
      expect((await ledger.read('customers', customer.id)).balanceDue).toBe(-100);
      expect((await ledger.read('vendors', vendor.id)).balance).toBe(-30);
    });

    it('out of balance are not posted', async () => {
      const journal = await newJournal();
      await line(journal, { accountNumber: '6210', amount: 10, documentNumber: 'B-1' });
      await line(journal, { accountNumber: '1130', amount: -10, documentNumber: 'B-2' });
      const before = await ledger.netChange('6210');
      expectRefusal(await ledger.act('journals', journal.id, 'post'), 'out of balance by 10. Document No. B-1');
      expect(await ledger.netChange('6210')).toBe(before);
      expect(await ledger.lines('journals', journal.id, 'journalLines')).toHaveLength(2);
    });

    it('without lines are not posted', async () => {
      expectRefusal(await ledger.act('journals', (await newJournal()).id, 'post'), 'the journal has no lines');
    });

    it.each([
      [{ amount: 10 }, 'Account No. must have a value'],
      [{ accountNumber: '6210' }, 'Amount must have a value'],
    ])('%j is not posted', async (body, message) => {
      const journal = await newJournal({ balancingAccountNumber: '1130' });
      await line(journal, body);
      expectRefusal(await ledger.act('journals', journal.id, 'post'), message);
    });

    it.each([
      [{ accountNumber: '1310', amount: 1 }, 'Direct Posting', 'Application_DialogException'],
      [{ accountNumber: '1999', amount: 1 }, 'Account Type', 'Application_DialogException'],
      [{ accountNumber: 'NONE', amount: 1 }, 'accountNumber', 'Internal_InvalidTableRelation'],
      [{ accountType: 'Bank Account', accountNumber: 'X' }, 'not supported', 'Application_DialogException'],
      [{ accountType: 'Customer', accountNumber: 'C00300', amount: 1 }, 'blocked', 'Application_DialogException'],
    ])('%j is refused', async (body, message, code) => {
      const journal = await newJournal();
      expectRefusal(await books.post(`journals(${journal.id})/journalLines`, body), message, code);
    });

    it('a payment lowers what the customer owes, and is for an invoice of that customer', async () => {
      const journal = await ledger.one('customerPaymentJournals', 'CARDS');
      const path = `customerPaymentJournals(${journal.id})/customerPayments`;
      const wrong = await books.make(path, { customerNumber: 'C00010', amount: 10 });
      expectRefusal(await ledger.act('journals', journal.id, 'post'), 'Amount must be negative');
      expect((await books.delete(`customerPayments(${wrong.id})`)).status).toBe(204);
      const [open] = await ledger.all("salesInvoices?$filter=customerNumber eq 'C00040' and status eq 'Open'");
      expectRefusal(
        await books.post(path, { customerNumber: 'C00010', amount: -10, appliesToInvoiceId: open.id }),
        'is not one of the customer C00010',
      );
    });
  },
  { clockStart: '2026-03-16T09:00:00Z' },
);
