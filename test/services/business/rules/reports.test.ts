import { beforeEach, expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { type Books, openBooks } from '../support.ts';
import { ledgerOf } from './books.ts';

onAnyStore(
  'what is computed when somebody asks',
  (bench) => {
    let books: Books;
    const ledger = ledgerOf(() => books);
    beforeEach(async () => {
      books ??= await openBooks(bench);
    });

    it('the trial balance of an account, and of all of them', async () => {
      const account = await ledger.one('accounts', '3110');
      expect((await books.get(`accounts(${account.id})/trialBalance`)).body).toMatchObject({
        number: '3110',
        accountId: account.id,
        display: 'Share Capital',
        totalDebit: '',
        totalCredit: '250000.00',
        balanceAtDateCredit: '250000.00',
        dateFilter: '2026-03-16',
      });
      const all = await ledger.all('trialBalances');
      const posting = all.filter(({ accountType }) => accountType === 'Posting');
      const total = (side: string): number =>
        posting.reduce((sum, row) => sum + Math.round(Number(row[side]) * 100), 0);
      expect(total('totalDebit')).toBe(total('totalCredit'));
      const [expanded] = await ledger.all("accounts?$filter=number eq '3110'&$expand=trialBalance");
      expect(expanded.trialBalance).toMatchObject({ totalCredit: '250000.00' });
    });

    it('what a customer owes by age', async () => {
      const customer = await books.make('customers', { displayName: 'Late' });
      const invoice = async (dueDate: string, unitPrice: number): Promise<void> => {
        const { id } = await books.make('salesInvoices', {
          customerId: customer.id,
          dueDate,
          salesInvoiceLines: [{ lineType: 'Item', lineObjectNumber: '1056', quantity: 1, unitPrice }],
        });
        await ledger.done('salesInvoices', id, 'post');
      };
      await invoice('2026-03-16', 1);
      await invoice('2026-03-15', 2);
      await invoice('2026-02-14', 4);
      await invoice('2026-02-13', 8);
      await invoice('2026-01-15', 16);
      await invoice('2026-01-14', 32);
      const expected = {
        customerId: customer.id,
        customerNumber: customer.number,
        balanceDue: 63,
        currentAmount: 1,
        period1Amount: 6,
        period2Amount: 24,
        period3Amount: 32,
        agedAsOfDate: '2026-03-16',
        periodLengthFilter: '30D',
      };
      expect((await books.get(`customers(${customer.id})/agedAccountsReceivable`)).body).toMatchObject(expected);
      const all = await ledger.all('agedAccountsReceivables');
      expect(all.find(({ customerId }) => customerId === customer.id)).toMatchObject(expected);
      expect((await books.get(`customers(${customer.id})/customerFinancialDetail`)).body).toMatchObject({
        number: customer.number,
        balance: 63,
        totalSalesExcludingTax: 63,
        overdueAmount: 62,
      });
    });

    it('what is owed to vendors adds up to their balances', async () => {
      const vendors = await ledger.all('vendors?$select=balance');
      const aged = await ledger.all('agedAccountsPayables');
      const cents = (rows: { [field: string]: number }[], field: string): number =>
        rows.reduce((sum, row) => sum + Math.round((row[field] as number) * 100), 0);
      expect(aged.length).toBeGreaterThan(0);
      expect(cents(aged, 'balanceDue')).toBe(cents(vendors, 'balance'));
    });

    it('a document as a file that PDF readers accept', async () => {
      const [invoice] = await ledger.all("salesInvoices?$filter=status eq 'Open'&$top=1");
      const shown = await books.get(`salesInvoices(${invoice.id})/pdfDocument`);
      expect(shown.body).toMatchObject({ parentId: invoice.id, parentType: 'Sales_x0020_Invoice' });
      const reply = await books.get(`salesInvoices(${invoice.id})/pdfDocument/pdfDocumentContent`);
      expect(reply.headers.get('content-type')).toBe('application/pdf');
      expect(reply.text).toMatch(/^%PDF-1\.4\n/);
      expect(reply.text).toContain(`(Sales Invoice ${invoice.number})`);
      expect(reply.text).toMatch(/startxref\n\d+\n%%EOF\n$/);
    });
  },
  { clockStart: '2026-03-16T09:00:00Z' },
);
