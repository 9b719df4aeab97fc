import { beforeEach, describe, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { type Books, openBooks } from '../support.ts';
import { expectRefusal, ledgerOf } from './books.ts';

const TODAY = '2026-03-16';

onBothStores(
  'posting',
  (bench) => {
    let books: Books;
    const ledger = ledgerOf(() => books);
    beforeEach(async () => {
      books ??= await openBooks(bench);
    });

    const newCustomer = (body: object = {}) =>
      books.make('customers', {
        displayName: 'Gasthaus Probe',
        email: 'office@probe.example',
        taxLiable: true,
        ...body,
      });

    const newInvoice = async (
      customerId: string,
      lines: object[] = [{ lineType: 'Item', lineObjectNumber: '1001', quantity: 2 }],
    ) => books.make('salesInvoices', { customerId, salesInvoiceLines: lines });

    const posted = async (customerId: string, lines?: object[]) => {
      const { id } = await newInvoice(customerId, lines);
      await ledger.done('salesInvoices', id, 'post');
      return ledger.read('salesInvoices', id);
    };

    it('tells the whole story: a quote, an order, an invoice, a payment', async () => {
      const customer = await newCustomer();
      const item = await ledger.one('items', '1001');
      const quote = await books.make('salesQuotes', {
        customerId: customer.id,
        externalDocumentNumber: 'REQ-7',
        salesQuoteLines: [{ itemId: item.id, quantity: 10, discountPercent: 10 }, { description: 'As discussed' }],
      });
      await ledger.done('salesQuotes', quote.id, 'send');
      expect(await ledger.read('salesQuotes', quote.id)).toMatchObject({
        status: 'Sent',
        sentDate: `${TODAY}T09:00:00.000Z`,
      });

      await ledger.done('salesQuotes', quote.id, 'makeOrder');
      expect((await books.get(`salesQuotes(${quote.id})`)).status).toBe(404);
      const [order] = await ledger.all(`salesOrders?$filter=customerId eq ${customer.id}&$expand=salesOrderLines`);
      expect(order).toMatchObject({
        externalDocumentNumber: 'REQ-7',
        orderDate: TODAY,
        totalAmountExcludingTax: 314.1,
        totalAmountIncludingTax: 376.92,
        fullyShipped: false,
      });
      expect(order.salesOrderLines).toMatchObject([
        { quantity: 10, shipQuantity: 10, invoiceQuantity: 10, discountPercent: 10 },
        { lineType: 'Comment', description: 'As discussed' },
      ]);

      await ledger.done('salesOrders', order.id, 'shipAndInvoice');
      expect((await books.get(`salesOrders(${order.id})`)).status).toBe(404);
      const [invoice] = await ledger.all(
        `salesInvoices?$filter=customerId eq ${customer.id}&$expand=salesInvoiceLines`,
      );
      expect(invoice).toMatchObject({
        status: 'Open',
        orderId: order.id,
        orderNumber: order.number,
        invoiceDate: TODAY,
        totalAmountIncludingTax: 376.92,
        remainingAmount: 376.92,
      });
      expect(invoice.number).toMatch(/^PS-INV/);
      expect(invoice.salesInvoiceLines).toHaveLength(2);
      expect(await ledger.entries(invoice.number)).toEqual({
        1310: 376.92,
        2410: -62.82,
        4110: -314.1,
        5110: 172,
        1410: -172,
      });
      expect(await ledger.read('customers', customer.id)).toMatchObject({ balanceDue: 376.92 });
      expect((await ledger.one('items', '1001')).inventory).toBe(item.inventory - 10);

      const journal = await ledger.one('customerPaymentJournals', 'BANK');
      const payment = await books.make(`customerPaymentJournals(${journal.id})/customerPayments`, {
        customerId: customer.id,
        amount: -376.92,
        appliesToInvoiceId: invoice.id,
      });
      expect(payment).toMatchObject({ appliesToInvoiceNumber: invoice.number, lineNumber: 10000 });
      await ledger.done('journals', journal.id, 'post');
      expect(await ledger.read('salesInvoices', invoice.id)).toMatchObject({ status: 'Paid', remainingAmount: 0 });
      expect(await ledger.read('customers', customer.id)).toMatchObject({ balanceDue: 0 });
      expect(await ledger.entries(payment.documentNumber)).toEqual({ 1310: -376.92, 1110: 376.92 });
      expect(await ledger.lines('customerPaymentJournals', journal.id, 'customerPayments')).toEqual([]);
    });

    it('makes an invoice of a quote, too', async () => {
      const customer = await newCustomer();
      const quote = await books.make('salesQuotes', {
        customerId: customer.id,
        salesQuoteLines: [{ lineType: 'Item', lineObjectNumber: '1002', quantity: 1 }],
      });
      await books.patch(`salesQuotes(${quote.id})`, { acceptedDate: TODAY });
      expect(await ledger.read('salesQuotes', quote.id)).toMatchObject({ status: 'Accepted' });
      await ledger.done('salesQuotes', quote.id, 'makeInvoice');
      const [invoice] = await ledger.all(`salesInvoices?$filter=customerId eq ${customer.id}`);
      expect(invoice).toMatchObject({ status: 'Draft', totalAmountIncludingTax: 51.48 });
    });

    it('ships and invoices a part, and then the rest', async () => {
      const customer = await newCustomer();
      const order = await books.make('salesOrders', {
        customerId: customer.id,
        discountAmount: 10,
        salesOrderLines: [{ lineType: 'Item', lineObjectNumber: '1002', quantity: 10 }],
      });
      const [line] = await ledger.lines('salesOrders', order.id, 'salesOrderLines');
      const path = `salesOrderLines(${line.id})`;
      expectRefusal(
        await books.patch(path, { shipQuantity: 11 }),
        'no more than 10',
        'Application_FieldValidationException',
      );
      await books.patch(path, { shipQuantity: 2, invoiceQuantity: 4 });
      expectRefusal(await ledger.act('salesOrders', order.id, 'shipAndInvoice'), '4 would be invoiced');
      await books.patch(path, { shipQuantity: 4 });
      await ledger.done('salesOrders', order.id, 'shipAndInvoice');
      expect(await ledger.read('salesOrders', order.id)).toMatchObject({ status: 'Open', fullyShipped: false });
      expect(await ledger.read('salesOrderLines', line.id)).toMatchObject({
        shippedQuantity: 4,
        invoicedQuantity: 4,
        shipQuantity: 6,
        invoiceQuantity: 6,
      });
      expectRefusal(await books.patch(path, { quantity: 3 }), 'has been shipped');
      await ledger.done('salesOrders', order.id, 'shipAndInvoice');
      expect((await books.get(`salesOrders(${order.id})`)).status).toBe(404);
      const invoices = await ledger.all(`salesInvoices?$filter=customerId eq ${customer.id}&$orderby=number`);
      expect(invoices.map((invoice) => invoice.totalAmountExcludingTax)).toEqual([167.6, 251.4]);
      expect(invoices.map((invoice) => invoice.discountAmount)).toEqual([4, 6]);
    });

    it('restricts changes to an order that is partly shipped, until that part is invoiced', async () => {
      const customer = await newCustomer();
      const order = await books.make('salesOrders', {
        customerId: customer.id,
        salesOrderLines: [{ lineType: 'Item', lineObjectNumber: '1002', quantity: 5 }],
      });
      const [line] = await ledger.lines('salesOrders', order.id, 'salesOrderLines');
      const path = `salesOrderLines(${line.id})`;
      await books.patch(path, { shipQuantity: 5, invoiceQuantity: 2 });
      await ledger.done('salesOrders', order.id, 'shipAndInvoice');
      for (const reply of [
        await books.patch(path, { lineType: 'Comment', itemId: '00000000-0000-0000-0000-000000000000' }),
        await books.patch(path, { lineType: 'Item', lineObjectNumber: '1001' }),
        await books.patch(`salesOrders(${order.id})`, { customerNumber: 'C00020' }),
        await books.delete(path),
        await books.delete(`salesOrders(${order.id})`),
      ]) {
        expectRefusal(reply, 'has been shipped');
      }
      await ledger.done('salesOrders', order.id, 'shipAndInvoice');
      expect((await books.get(`salesOrders(${order.id})`)).status).toBe(404);
    });

    it('takes goods back on lines below zero, whole or in part', async () => {
      const customer = await newCustomer();
      const order = await books.make('salesOrders', {
        customerId: customer.id,
        salesOrderLines: [
          { lineType: 'Item', lineObjectNumber: '1002', quantity: 9 },
          { lineType: 'Item', lineObjectNumber: '1002', quantity: -3 },
        ],
      });
      const [, line] = await ledger.lines('salesOrders', order.id, 'salesOrderLines');
      const path = `salesOrderLines(${line.id})`;
      expect((await books.patch(path, { quantity: -4 })).body).toMatchObject({ quantity: -4, shipQuantity: -4 });
      await books.patch(path, { shipQuantity: -2, invoiceQuantity: -2 });
      await ledger.done('salesOrders', order.id, 'shipAndInvoice');
      expect(await ledger.read('salesOrders', order.id)).toMatchObject({ fullyShipped: false });
      expect(await ledger.read('salesOrderLines', line.id)).toMatchObject({ shippedQuantity: -2, shipQuantity: -2 });
      for (const quantity of [-1, 5]) expectRefusal(await books.patch(path, { quantity }), 'has been shipped');
      expect((await books.patch(path, { quantity: -3 })).body).toMatchObject({ quantity: -3, shipQuantity: -1 });
      expect((await books.patch(path, { quantity: -2 })).body).toMatchObject({ quantity: -2, shipQuantity: 0 });
      expect(await ledger.read('salesOrders', order.id)).toMatchObject({ fullyShipped: true });
    });

    it('of a document in another currency is in that of the books', async () => {
      const customer = await newCustomer({ currencyCode: 'GBP', taxLiable: false });
      const invoice = await posted(customer.id, [
        { lineType: 'Item', lineObjectNumber: '1056', quantity: 10, unitPrice: 10 },
      ]);
      expect(invoice).toMatchObject({ currencyCode: 'GBP', totalAmountIncludingTax: 100, remainingAmount: 100 });
      expect(await ledger.entries(invoice.number)).toEqual({ 1310: 118, 4210: -118 });
      expect((await ledger.read('customers', customer.id)).balanceDue).toBe(118);
    });

    it('gives each document the next number, also when they are posted concurrently', async () => {
      const customer = await newCustomer();
      const drafts = await Promise.all(Array.from({ length: 4 }, () => newInvoice(customer.id)));
      const replies = await Promise.all(drafts.map(({ id }) => ledger.act('salesInvoices', id, 'post')));
      expect(replies.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
      const invoices = await ledger.all(`salesInvoices?$filter=customerId eq ${customer.id}`);
      expect(new Set(invoices.map(({ number }) => number)).size).toBe(4);
      expect((await ledger.read('customers', customer.id)).balanceDue).toBe(335.04);
      const entries = await ledger.all('generalLedgerEntries?$select=entryNumber');
      expect(new Set(entries.map(({ entryNumber }) => entryNumber)).size).toBe(entries.length);
    });

    it('of all kinds concurrently completes, and the books balance', async () => {
      const customer = await newCustomer();
      const makers = [
        async (index: number) =>
          [
            'purchaseInvoices',
            'post',
            await books.make('purchaseInvoices', {
              vendorNumber: 'V00010',
              vendorInvoiceNumber: `ATONCE-${index}`,
              purchaseInvoiceLines: [{ lineType: 'Item', lineObjectNumber: '1001', quantity: 1 }],
            }),
          ] as const,
        async () => ['salesInvoices', 'post', await newInvoice(customer.id)] as const,
        async () => ['salesInvoices', 'cancel', await posted(customer.id)] as const,
        async () =>
          [
            'salesOrders',
            'shipAndInvoice',
            await books.make('salesOrders', {
              customerId: customer.id,
              salesOrderLines: [{ lineType: 'Item', lineObjectNumber: '1001', quantity: 1 }],
            }),
          ] as const,
        async (index: number) => {
          const journal = await books.make('journals', { code: `ATONCE${index}`, balancingAccountNumber: '1130' });
          await books.make(`journals(${journal.id})/journalLines`, {
            accountType: 'Customer',
            accountId: customer.id,
            amount: -1,
          });
          return ['journals', 'post', journal] as const;
        },
      ];
      const prepared = [];
      for (let index = 0; index < 10; index++) prepared.push(await makers[index % makers.length]!(index));
      const replies = await Promise.all(prepared.map(([set, action, { id }]) => ledger.act(set, id, action)));
      expect(replies.map(({ status, text }) => [status, text])).toEqual(replies.map(() => [204, '']));
      const entries = await ledger.all('generalLedgerEntries?$select=entryNumber,debitAmount,creditAmount');
      const cents = (side: string): number => entries.reduce((sum, entry) => sum + Math.round(entry[side] * 100), 0);
      expect(cents('debitAmount')).toBe(cents('creditAmount'));
      const numbers = entries.map(({ entryNumber }) => entryNumber).sort((one, other) => one - other);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    });

    it('the same document twice is refused, also when it is asked for at once', async () => {
      const customer = await newCustomer();
      const { id } = await newInvoice(customer.id);
      const replies = await Promise.all([
        ledger.act('salesInvoices', id, 'post'),
        ledger.act('salesInvoices', id, 'post'),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([204, 400]);
      expect((await ledger.read('customers', customer.id)).balanceDue).toBe(83.76);
    });

    it('a posted document stays as it is', async () => {
      const customer = await newCustomer();
      const invoice = await posted(customer.id);
      const path = `salesInvoices(${invoice.id})`;
      const message = `The Sales Invoice ${invoice.number} has been posted`;
      expectRefusal(await books.patch(path, { externalDocumentNumber: 'LATE' }), message);
      expectRefusal(await books.delete(path), message);
      expectRefusal(await books.post(`${path}/salesInvoiceLines`, { description: 'Late' }), message);
      const [line] = await ledger.lines('salesInvoices', invoice.id, 'salesInvoiceLines');
      expectRefusal(await books.patch(`salesInvoiceLines(${line.id})`, { quantity: 1 }), message);
      expectRefusal(await books.delete(`salesInvoiceLines(${line.id})`), message);
      expect((await books.patch(path, { promisedPayDate: '2026-05-01' })).status).toBe(200);
      expect(await ledger.read('salesInvoices', invoice.id)).toMatchObject({ remainingAmount: 83.76, status: 'Open' });
    });

    it('canceling an invoice takes all of it back', async () => {
      const customer = await newCustomer();
      const item = await ledger.one('items', '1001');
      const invoice = await posted(customer.id);
      await ledger.done('salesInvoices', invoice.id, 'cancel');
      expect(await ledger.read('salesInvoices', invoice.id)).toMatchObject({ status: 'Canceled', remainingAmount: 0 });
      const [creditMemo] = await ledger.all(`salesCreditMemos?$filter=customerId eq ${customer.id}`);
      expect(creditMemo).toMatchObject({
        status: 'Corrective',
        invoiceId: invoice.id,
        invoiceNumber: invoice.number,
        totalAmountIncludingTax: 83.76,
      });
      expect(await ledger.entries(creditMemo.number)).toEqual({
        1310: -83.76,
        2410: 13.96,
        4120: 69.8,
        5110: -34.4,
        1410: 34.4,
      });
      expect((await ledger.read('customers', customer.id)).balanceDue).toBe(0);
      expect((await ledger.one('items', '1001')).inventory).toBe(item.inventory);
      expectRefusal(await ledger.act('salesInvoices', invoice.id, 'cancel'), 'has already been canceled');
    });

    it('a credit memo for an invoice settles it when it is posted', async () => {
      const customer = await newCustomer();
      const invoice = await posted(customer.id);
      await ledger.done('salesInvoices', invoice.id, 'makeCorrectiveCreditMemo');
      const [draft] = await ledger.all(`salesCreditMemos?$filter=customerId eq ${customer.id}`);
      expect(draft).toMatchObject({ status: 'Draft', invoiceNumber: invoice.number, totalAmountIncludingTax: 83.76 });
      await ledger.done('salesCreditMemos', draft.id, 'postAndSend');
      expect(await ledger.read('salesCreditMemos', draft.id)).toMatchObject({ status: 'Paid' });
      expect(await ledger.read('salesInvoices', invoice.id)).toMatchObject({ status: 'Paid', remainingAmount: 0 });
      expectRefusal(await ledger.act('salesCreditMemos', draft.id, 'cancel'), "status is 'Paid'");
    });

    it('a credit memo that settled nothing can be canceled', async () => {
      const customer = await newCustomer();
      const creditMemo = await books.make('salesCreditMemos', {
        customerId: customer.id,
        salesCreditMemoLines: [{ lineType: 'Item', lineObjectNumber: '1001', quantity: 1 }],
      });
      expectRefusal(await ledger.act('salesCreditMemos', creditMemo.id, 'cancel'), 'posted credit memo only');
      await ledger.done('salesCreditMemos', creditMemo.id, 'post');
      expect((await ledger.read('customers', customer.id)).balanceDue).toBe(-41.88);
      await ledger.done('salesCreditMemos', creditMemo.id, 'cancelAndSend');
      expect(await ledger.read('salesCreditMemos', creditMemo.id)).toMatchObject({ status: 'Canceled' });
      const [invoice] = await ledger.all(`salesInvoices?$filter=customerId eq ${customer.id}`);
      expect(invoice).toMatchObject({ status: 'Corrective', remainingAmount: 0 });
      expect((await ledger.read('customers', customer.id)).balanceDue).toBe(0);
    });

    describe('purchase invoices', () => {
      it('bring goods into stock at what they cost on average', async () => {
        const vendor = await books.make('vendors', { displayName: 'Probe Supply', taxLiable: true });
        const item = await books.make('items', { displayName: 'Ladle', unitCost: 4, taxGroupCode: 'STANDARD' });
        const make = async (number: string, quantity: number, unitCost: number) => {
          const invoice = await books.make('purchaseInvoices', {
            vendorId: vendor.id,
            vendorInvoiceNumber: number,
            purchaseInvoiceLines: [{ itemId: item.id, quantity, unitCost }],
          });
          await ledger.done('purchaseInvoices', invoice.id, 'post');
          return ledger.read('purchaseInvoices', invoice.id);
        };
        const first = await make('A-1', 10, 4);
        expect(first).toMatchObject({ status: 'Open', totalAmountIncludingTax: 48 });
        expect(await ledger.entries(first.number)).toEqual({ 1410: 40, 2420: 8, 2310: -48 });
        await make('A-2', 10, 6);
        expect(await ledger.read('items', item.id)).toMatchObject({ inventory: 20, unitCost: 5 });
        expect(await ledger.read('vendors', vendor.id)).toMatchObject({ balance: 120 });

        const payments = await books.make('journals', {
          code: 'PROBE',
          displayName: 'Probe',
          balancingAccountNumber: '1110',
        });
        await books.make(`journals(${payments.id})/journalLines`, {
          accountType: 'Vendor',
          accountId: vendor.id,
          amount: 60,
        });
        await ledger.done('journals', payments.id, 'post');
        expect(await ledger.read('vendors', vendor.id)).toMatchObject({ balance: 60 });
        const invoices = await ledger.all(`purchaseInvoices?$filter=vendorId eq ${vendor.id}&$orderby=number`);
        expect(invoices.map(({ status }) => status)).toEqual(['Paid', 'Open']);
      });

      it('are posted with the number of the vendor, and once', async () => {
        const lines = [{ lineType: 'Account', lineObjectNumber: '6210', quantity: 1, unitCost: 12.5 }];
        const make = (vendorInvoiceNumber?: string) =>
          books.make('purchaseInvoices', { vendorNumber: 'V00240', vendorInvoiceNumber, purchaseInvoiceLines: lines });
        const nameless = await books.make('purchaseInvoices', { vendorNumber: 'V00240', purchaseInvoiceLines: lines });
        expectRefusal(await ledger.act('purchaseInvoices', nameless.id, 'post'), 'Vendor Invoice No.');
        const first = await make('PAPER-1');
        await ledger.done('purchaseInvoices', first.id, 'post');
        const second = await make('PAPER-1');
        expectRefusal(await ledger.act('purchaseInvoices', second.id, 'post'), 'already exists for this vendor');
      });
    });

    describe('is refused, and nothing happens', () => {
      it('for a document without lines', async () => {
        const customer = await newCustomer();
        const { id } = await books.make('salesInvoices', { customerId: customer.id });
        expectRefusal(await ledger.act('salesInvoices', id, 'post'), 'There is nothing to post');
        const order = await books.make('salesOrders', { customerId: customer.id });
        expectRefusal(await ledger.act('salesOrders', order.id, 'shipAndInvoice'), 'There is nothing to post');
        const quote = await books.make('salesQuotes', { customerId: customer.id });
        expectRefusal(await ledger.act('salesQuotes', quote.id, 'makeOrder'), 'has no lines');
      });

      it('for a total below zero', async () => {
        const customer = await newCustomer();
        const { id } = await newInvoice(customer.id, [{ lineType: 'Item', lineObjectNumber: '1001', quantity: -1 }]);
        expectRefusal(await ledger.act('salesInvoices', id, 'post'), 'must be 0 or greater');
      });

      it('for a customer or an item that was blocked meanwhile', async () => {
        const customer = await newCustomer();
        const item = await books.make('items', { displayName: 'Sieve', unitPrice: 9 });
        const { id } = await newInvoice(customer.id, [{ itemId: item.id, quantity: 1 }]);
        await books.patch(`items(${item.id})`, { blocked: true });
        expectRefusal(await ledger.act('salesInvoices', id, 'post'), 'Blocked must be equal');
        await books.patch(`items(${item.id})`, { blocked: false });
        await books.patch(`customers(${customer.id})`, { blocked: 'Invoice' });
        expectRefusal(await ledger.act('salesInvoices', id, 'post'), 'You cannot post this type of document');
        expect(await ledger.read('salesInvoices', id)).toMatchObject({ status: 'Draft' });
        expect((await ledger.read('customers', customer.id)).balanceDue).toBe(0);
      });

      it('for what has no address to send it to', async () => {
        const customer = await newCustomer({ email: '' });
        const { id } = await newInvoice(customer.id);
        expectRefusal(await ledger.act('salesInvoices', id, 'postAndSend'), 'The send-to email is empty');
        expectRefusal(await ledger.act('salesInvoices', id, 'send'), 'The send-to email is empty');
        expect(await ledger.read('salesInvoices', id)).toMatchObject({ status: 'Draft' });
      });

      it.each(['cancel', 'makeCorrectiveCreditMemo'])('%s of a draft', async (action) => {
        const customer = await newCustomer();
        const { id } = await newInvoice(customer.id);
        expectRefusal(await ledger.act('salesInvoices', id, action), 'posted invoice only');
      });

      it('canceling what was paid', async () => {
        const customer = await newCustomer();
        const invoice = await posted(customer.id);
        const journal = await ledger.one('customerPaymentJournals', 'BANK');
        await books.make(`customerPaymentJournals(${journal.id})/customerPayments`, {
          amount: -10,
          appliesToInvoiceNumber: invoice.number,
        });
        await ledger.done('journals', journal.id, 'post');
        expect(await ledger.read('salesInvoices', invoice.id)).toMatchObject({
          status: 'Open',
          remainingAmount: 73.76,
        });
        expectRefusal(await ledger.act('salesInvoices', invoice.id, 'cancel'), 'fully or partially paid');
      });
    });
  },
  { clockStart: `${TODAY}T09:00:00Z` },
);
