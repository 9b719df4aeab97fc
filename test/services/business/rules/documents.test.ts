import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { type Books, errorOf, openBooks } from '../support.ts';
import { expectRefusal, ledgerOf } from './books.ts';

const TODAY = '2026-03-16';
/** By the payment terms of the customer below. */
const DUE = '2026-04-15';
const NAME = 'Hotel Kaiserhof Linz';

onAnyStore(
  'documents',
  (bench) => {
    let books: Books;
    const ledger = ledgerOf(() => books);
    beforeEach(async () => {
      books ??= await openBooks(bench);
    });

    it.each([
      ['salesQuotes', 'documentDate', { dueDate: DUE, shipToName: NAME }],
      ['salesOrders', 'orderDate', { shipToName: NAME }],
      ['salesInvoices', 'invoiceDate', { dueDate: DUE, shipToName: NAME }],
      ['salesCreditMemos', 'creditMemoDate', { dueDate: DUE }],
    ])('%s have the address, the terms and the day by themselves', async (set, date, more) => {
      const document = await books.make(set, { customerNumber: 'C00020' });
      const customer = await ledger.one('customers', 'C00020');
      expect(document).toMatchObject({
        customerId: customer.id,
        customerName: 'Hotel Kaiserhof Linz',
        sellToCity: 'Linz',
        billToName: 'Hotel Kaiserhof Linz',
        billToCustomerNumber: 'C00020',
        billToAddressLine1: customer.addressLine1,
        paymentTermsId: customer.paymentTermsId,
        salesperson: 'MH',
        email: customer.email,
        postingDate: TODAY,
        [date]: TODAY,
        status: 'Draft',
        totalAmountIncludingTax: 0,
      });
      expect(document.number).toMatch(/^S-/);
      const { dueDate, shipToName } = document;
      expect({ dueDate, shipToName }).toEqual(more);
    });

    it('purchase invoices come from a vendor to the company', async () => {
      const invoice = await books.make('purchaseInvoices', { vendorNumber: 'V00010', invoiceDate: '2026-01-31' });
      expect(invoice).toMatchObject({
        vendorName: 'Stahlwerk Kremstal',
        payToName: 'Stahlwerk Kremstal',
        buyFromCity: 'Kremsmünster',
        shipToCity: 'Linz',
        dueDate: '2026-03-02',
        status: 'Draft',
      });
    });

    it('values that are given together with the customer take precedence', async () => {
      const invoice = await books.make('salesInvoices', {
        customerNumber: 'C00010',
        currencyCode: 'GBP',
        sellToCity: 'Elsewhere',
        dueDate: '2026-12-24',
        billToCustomerNumber: 'C00020',
      });
      expect(invoice).toMatchObject({
        currencyCode: 'GBP',
        sellToCity: 'Elsewhere',
        dueDate: '2026-12-24',
        billToName: 'Hotel Kaiserhof Linz',
      });
    });

    it.each(['salesQuotes', 'salesOrders', 'salesInvoices', 'salesCreditMemos'])('%s need a customer', async (set) => {
      const before = (await books.get(`${set}/$count`)).text;
      expectRefusal(
        await books.post(set, { externalDocumentNumber: 'X' }),
        'A "customerNumber" or a "customerId" must be provided.',
      );
      expect((await books.get(`${set}/$count`)).text).toBe(before);
    });

    it('purchase invoices need a vendor', async () => {
      expectRefusal(await books.post('purchaseInvoices', {}), 'A "vendorNumber" or a "vendorId" must be provided.');
    });

    it('a customer who is blocked gets none', async () => {
      expectRefusal(
        await books.post('salesInvoices', { customerNumber: 'C00300' }),
        'You cannot create this type of document when Customer C00300 is blocked with type All.',
      );
    });

    it.each([
      ['Ship', { salesQuotes: false, salesOrders: false, salesInvoices: true, salesCreditMemos: true }],
      ['Invoice', { salesQuotes: false, salesOrders: false, salesInvoices: false, salesCreditMemos: true }],
      ['All', { salesQuotes: false, salesOrders: false, salesInvoices: false, salesCreditMemos: false }],
    ])('the block %s holds for some of them', async (blocked, allowed) => {
      const customer = await books.make('customers', { displayName: `Blocked ${blocked}`, blocked });
      for (const [set, isAllowed] of Object.entries(allowed)) {
        const { status } = await books.post(set, { customerId: customer.id });
        expect([set, status]).toEqual([set, isAllowed ? 201 : 400]);
      }
    });

    it('another customer brings another address, other terms and another tax', async () => {
      const invoice = await books.make('salesInvoices', {
        customerNumber: 'C00020',
        salesInvoiceLines: [{ lineType: 'Item', lineObjectNumber: '1001', quantity: 1 }],
      });
      expect(await ledger.read('salesInvoices', invoice.id)).toMatchObject({ totalTaxAmount: 6.98 });
      const changed = await books.patch(`salesInvoices(${invoice.id})`, { customerNumber: 'C00130' });
      expect(changed.body).toMatchObject({
        customerName: 'Rheinperle Catering',
        sellToCity: 'Köln',
        billToName: 'Rheinperle Catering',
        totalTaxAmount: 0,
        totalAmountIncludingTax: 34.9,
      });
      const [line] = await ledger.lines('salesInvoices', invoice.id, 'salesInvoiceLines');
      expect(line).toMatchObject({ taxPercent: 0, totalTaxAmount: 0, amountIncludingTax: 34.9 });
    });

    it('other terms or another date move the due date', async () => {
      const invoice = await books.make('salesInvoices', { customerNumber: 'C00020' });
      const { id } = await ledger.one('paymentTerms', 'CM');
      const path = `salesInvoices(${invoice.id})`;
      expect((await books.patch(path, { paymentTermsId: id })).body.dueDate).toBe('2026-03-31');
      expect((await books.patch(path, { invoiceDate: '2026-02-03' })).body.dueDate).toBe('2026-02-28');
      expect((await books.patch(path, { dueDate: '2027-01-01' })).body.dueDate).toBe('2027-01-01');
    });

    describe('lines', () => {
      const draft = async (): Promise<{ id: string }> => books.make('salesInvoices', { customerNumber: 'C00020' });

      it('copy defaults from the item', async () => {
        const { id } = await draft();
        const item = await ledger.one('items', '1044');
        const line = await books.make(`salesInvoices(${id})/salesInvoiceLines`, { itemId: item.id, quantity: 3 });
        expect(line).toMatchObject({
          documentId: id,
          sequence: 10000,
          lineType: 'Item',
          lineObjectNumber: '1044',
          description: 'Espresso beans, house blend',
          unitOfMeasureCode: 'KG',
          unitPrice: 21.9,
          quantity: 3,
          taxCode: 'REDUCED',
          taxPercent: 10,
          amountExcludingTax: 65.7,
          totalTaxAmount: 6.57,
          amountIncludingTax: 72.27,
          netAmountIncludingTax: 72.27,
        });
        expect(await ledger.read('salesInvoices', id)).toMatchObject({
          totalAmountExcludingTax: 65.7,
          totalTaxAmount: 6.57,
          totalAmountIncludingTax: 72.27,
          remainingAmount: 0,
        });
      });

      it('may be about an account, or be comments', async () => {
        const { id } = await draft();
        const account = await ledger.one('accounts', '4310');
        const path = `salesInvoices(${id})/salesInvoiceLines`;
        expect(await books.make(path, { accountId: account.id, quantity: 1, unitPrice: 12 })).toMatchObject({
          lineType: 'Account',
          lineObjectNumber: '4310',
          description: 'Freight Charged',
          amountExcludingTax: 12,
        });
        expect(await books.make(path, { description: 'With thanks' })).toMatchObject({
          lineType: 'Comment',
          sequence: 20000,
          amountIncludingTax: 0,
        });
      });

      it('leave room between them, and keep the numbers that they come with', async () => {
        const { id } = await draft();
        const path = `salesInvoices(${id})/salesInvoiceLines`;
        await books.make(path, { description: 'One', sequence: 15000 });
        expect(await books.make(path, { description: 'Two' })).toMatchObject({ sequence: 25000 });
        const again = await books.post(path, { description: 'Three', sequence: 15000 });
        expect(errorOf(again)).toMatchObject({ status: 409, code: 'Internal_EntityWithSameKeyExists' });
      });

      it('have a discount in percent or as an amount', async () => {
        const { id } = await draft();
        const path = `salesInvoices(${id})/salesInvoiceLines`;
        const line = await books.make(path, {
          lineType: 'Item',
          lineObjectNumber: '1003',
          quantity: 2,
          discountPercent: 10,
        });
        expect(line).toMatchObject({ discountAmount: 13.8, amountExcludingTax: 124.2, totalTaxAmount: 24.84 });
        const own = `salesInvoiceLines(${line.id})`;
        expect((await books.patch(own, { discountAmount: 69 })).body).toMatchObject({
          discountPercent: 50,
          amountExcludingTax: 69,
        });
        expect((await books.patch(own, { quantity: 4 })).body).toMatchObject({
          discountAmount: 138,
          amountExcludingTax: 138,
        });
        expectRefusal(
          await books.patch(own, { discountPercent: 101 }),
          'discountPercent',
          'Application_FieldValidationException',
        );
        expectRefusal(
          await books.patch(own, { discountAmount: 1000 }),
          'discountAmount',
          'Application_FieldValidationException',
        );
        expect(await ledger.read('salesInvoices', id)).toMatchObject({ totalAmountIncludingTax: 165.6 });
      });

      it('keep a discount to the cent, whatever else is changed', async () => {
        const { id } = await draft();
        const path = `salesInvoices(${id})/salesInvoiceLines`;
        const body = { lineType: 'Item', lineObjectNumber: '1003', quantity: 1000, unitPrice: 1000 };
        const line = await books.make(path, { ...body, discountAmount: 10.01 });
        const own = `salesInvoiceLines(${line.id})`;
        expect((await books.patch(own, { description: 'Other' })).body).toMatchObject({ discountAmount: 10.01 });
        expectRefusal(
          await books.post(path, { ...body, quantity: 0, discountAmount: 5 }),
          'discountAmount',
          'Application_FieldValidationException',
        );
      });

      it('cannot be more than can be numbered', async () => {
        const { id } = await draft();
        const path = `salesInvoices(${id})/salesInvoiceLines`;
        await books.make(path, { description: 'Last', sequence: 2_147_483_647 });
        expectRefusal(
          await books.post(path, { description: 'Beyond' }),
          'sequence',
          'Application_FieldValidationException',
        );
      });

      it('of astronomical amounts are refused', async () => {
        const { id } = await draft();
        const body = { lineType: 'Item', lineObjectNumber: '1003', quantity: 1e14, unitPrice: 1e14 };
        expectRefusal(await books.post(`salesInvoices(${id})/salesInvoiceLines`, body), 'too large');
      });

      it('share the discount of the document', async () => {
        const { id } = await draft();
        const path = `salesInvoices(${id})/salesInvoiceLines`;
        await books.make(path, { lineType: 'Item', lineObjectNumber: '1003', quantity: 1 });
        await books.make(path, { lineType: 'Item', lineObjectNumber: '1044', quantity: 10 });
        const changed = await books.patch(`salesInvoices(${id})`, { discountAmount: 28.8 });
        expect(changed.body).toMatchObject({ discountAmount: 28.8, totalAmountExcludingTax: 259.2 });
        const lines = await ledger.lines('salesInvoices', id, 'salesInvoiceLines');
        expect(lines.map((line) => line.invoiceDiscountAllocation)).toEqual([6.9, 21.9]);
        expectRefusal(
          await books.patch(`salesInvoices(${id})`, { discountAmount: -1 }),
          'discountAmount',
          'Application_FieldValidationException',
        );
      });

      it('go with their part of the totals', async () => {
        const { id } = await draft();
        const path = `salesInvoices(${id})/salesInvoiceLines`;
        await books.make(path, { lineType: 'Item', lineObjectNumber: '1001', quantity: 1 });
        const second = await books.make(path, { lineType: 'Item', lineObjectNumber: '1002', quantity: 1 });
        expect((await books.delete(`salesInvoiceLines(${second.id})`)).status).toBe(204);
        expect(await ledger.read('salesInvoices', id)).toMatchObject({ totalAmountExcludingTax: 34.9 });
        expect((await books.delete(`salesInvoices(${id})`)).status).toBe(204);
        expect((await books.get(path)).status).toBe(404);
      });

      it('in the currency of the document cost what the item costs', async () => {
        const invoice = await books.make('salesInvoices', { customerNumber: 'C00150' });
        const line = await books.make(`salesInvoices(${invoice.id})/salesInvoiceLines`, {
          lineType: 'Item',
          lineObjectNumber: '1006',
          quantity: 1,
        });
        expect(line.unitPrice).toBe(160.17);
      });

      it.each([
        [{ itemId: '11111111-1111-4111-8111-111111111111' }, 'Internal_InvalidTableRelation', 'itemId'],
        [
          { lineType: 'Item', quantity: 1 },
          'Application_DialogException',
          '"itemId" or a "lineObjectNumber" must be provided',
        ],
        [{ lineType: 'Item', lineObjectNumber: 'NONE' }, 'Internal_InvalidTableRelation', 'lineObjectNumber'],
        [{ lineType: 'Resource', lineObjectNumber: 'X' }, 'Application_DialogException', 'not supported'],
        [
          { lineType: 'Account', lineObjectNumber: '1310', quantity: 1 },
          'Application_DialogException',
          'Direct Posting',
        ],
        [{ lineType: 'Account', lineObjectNumber: '1999', quantity: 1 }, 'Application_DialogException', 'Account Type'],
        [{ quantity: 2 }, 'Application_DialogException', 'is a comment'],
        [{ lineType: 'Item', lineObjectNumber: '1001', taxCode: 'NONE' }, 'Internal_InvalidTableRelation', 'taxCode'],
        [{ description: 'x', sequence: -1 }, 'Application_FieldValidationException', 'sequence'],
      ])('%j is refused with %s', async (body, code, message) => {
        const { id } = await draft();
        expectRefusal(await books.post(`salesInvoices(${id})/salesInvoiceLines`, body), message, code);
        expect(await ledger.lines('salesInvoices', id, 'salesInvoiceLines')).toEqual([]);
      });

      it('are about an item or an account, not both', async () => {
        const { id } = await draft();
        const [item, account] = [await ledger.one('items', '1001'), await ledger.one('accounts', '4310')];
        expectRefusal(
          await books.post(`salesInvoices(${id})/salesInvoiceLines`, { itemId: item.id, accountId: account.id }),
          'Both "itemId" and "accountId" are specified',
        );
      });

      it('about a blocked item are refused', async () => {
        const item = await books.make('items', { displayName: 'Withdrawn', blocked: true });
        const { id } = await draft();
        expectRefusal(
          await books.post(`salesInvoices(${id})/salesInvoiceLines`, { itemId: item.id, quantity: 1 }),
          /Blocked must be equal to 'No' in Item: No\.=\d+/,
        );
      });

      it('are refused together with their document, and the document with them', async () => {
        const before = (await books.get('salesInvoices/$count')).text;
        const reply = await books.post('salesInvoices', {
          customerNumber: 'C00020',
          salesInvoiceLines: [{ lineType: 'Item', lineObjectNumber: '1001', quantity: 1 }, { quantity: 1 }],
        });
        expectRefusal(reply, 'is a comment');
        expect((await books.get('salesInvoices/$count')).text).toBe(before);
      });

      it('that are inserted concurrently are all counted', async () => {
        const { id } = await draft();
        const path = `salesInvoices(${id})/salesInvoiceLines`;
        const body = { lineType: 'Item', lineObjectNumber: '1001', quantity: 1 };
        const replies = await Promise.all(Array.from({ length: 5 }, () => books.post(path, body)));
        expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
        const lines = await ledger.lines('salesInvoices', id, 'salesInvoiceLines');
        expect(lines.map((line) => line.sequence)).toEqual([10000, 20000, 30000, 40000, 50000]);
        expect(await ledger.read('salesInvoices', id)).toMatchObject({ totalAmountExcludingTax: 174.5 });
      });
    });
  },
  { clockStart: `${TODAY}T09:00:00Z` },
);
