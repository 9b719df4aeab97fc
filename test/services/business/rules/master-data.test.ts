import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { type Books, errorOf, openBooks } from '../support.ts';
import { expectRefusal, ledgerOf } from './books.ts';

onAnyStore('records that others refer to', (bench) => {
  let books: Books;
  const ledger = ledgerOf(() => books);
  beforeEach(async () => {
    books ??= await openBooks(bench);
  });

  it('employees are called by their names', async () => {
    const employee = await books.make('employees', { givenName: 'Ada', surname: 'Berg' });
    expect(employee.displayName).toBe('Ada Berg');
    const changed = await books.patch(`employees(${employee.id})`, { middleName: 'Maria' });
    expect(changed.body.displayName).toBe('Ada Maria Berg');
    expect(errorOf(await books.patch(`employees(${employee.id})`, { displayName: 'Other' })).code).toBe(
      'BadRequest_InvalidOperation',
    );
  });

  it('codes are in upper case, and no two are the same', async () => {
    expect(await books.make('shipmentMethods', { code: ' drone ', displayName: 'By drone' })).toMatchObject({
      code: 'DRONE',
    });
    expect(errorOf(await books.post('shipmentMethods', { code: 'Drone' }))).toMatchObject({
      status: 409,
      code: 'Internal_EntityWithSameKeyExists',
    });
  });

  it.each([
    ['paymentTerms', { code: 'ODD', dueDateCalculation: 'next week' }, 'dueDateCalculation'],
    ['paymentTerms', { code: 'ODD', discountPercent: 120 }, 'discountPercent'],
    ['customers', { displayName: 'X', creditLimit: -1 }, 'creditLimit'],
    ['items', { displayName: 'X', unitPrice: -1 }, 'unitPrice'],
    ['employees', { givenName: 'X', employmentDate: '2026-01-02', terminationDate: '2026-01-01' }, 'terminationDate'],
  ])('%s refuse %j', async (set, body, field) => {
    expectRefusal(await books.post(set, body), field, 'Application_FieldValidationException');
  });

  it('payment terms read formulas in any case', async () => {
    expect(await books.make('paymentTerms', { code: 'CM15', dueDateCalculation: 'cm+15d' })).toMatchObject({
      dueDateCalculation: 'CM+15D',
    });
  });

  describe('records in use cannot be deleted', () => {
    it.each([
      ['customers', 'C00010', 'You cannot delete Customer C00010 because it has ledger entries.'],
      ['customers', 'C00180', 'You cannot delete Customer C00180 because there is at least one Sales Order for it.'],
      ['vendors', 'V00010', 'You cannot delete Vendor V00010 because it has ledger entries.'],
      ['items', '1001', 'You cannot delete Item 1001 because there is at least one'],
      [
        'itemCategories',
        'COOKWARE',
        'You cannot delete Item Category COOKWARE because there is at least one item for it.',
      ],
      ['unitsOfMeasure', 'PCS', 'You cannot delete Unit of Measure PCS'],
      ['currencies', 'GBP', 'You cannot delete Currency GBP because there is at least one customer for it.'],
      [
        'paymentTerms',
        '30 DAYS',
        'You cannot delete Payment Terms 30 DAYS because there is at least one customer for it.',
      ],
    ])('%s %s', async (set, number, message) => {
      const { id } = await ledger.one(set, number);
      expectRefusal(await books.delete(`${set}(${id})`), message);
      expect((await books.get(`${set}(${id})`)).status).toBe(200);
    });

    it('unused records are deleted, with all that belongs to them', async () => {
      const customer = await books.make('customers', { displayName: 'Short visit' });
      const dimension = await books.make(`customers(${customer.id})/defaultDimensions`, {
        dimensionCode: 'AREA',
        dimensionValueCode: 'NORTH',
      });
      expect((await books.delete(`customers(${customer.id})`)).status).toBe(204);
      expect((await books.get(`defaultDimensions(${dimension.id})`)).status).toBe(404);
    });
  });

  it('two journals of one template never have the same code', async () => {
    const general = await books.make('journals', { code: 'TWICE' });
    const cash = await books.make('customerPaymentJournals', { code: 'TWICE' });
    const moved = await books.patch(`journals(${cash.id})`, { templateDisplayName: general.templateDisplayName });
    expect(errorOf(moved)).toMatchObject({ status: 409, code: 'Internal_EntityWithSameKeyExists' });
  });

  it('the type of an item cannot change while it has ledger entries', async () => {
    const item = await ledger.one('items', '1001');
    expectRefusal(await books.patch(`items(${item.id})`, { type: 'Service' }), 'You cannot change Type');
  });

  describe('dimensions', () => {
    it.each([
      [{ dimensionCode: 'AREA', dimensionValueCode: 'SALES' }, 'Internal_InvalidTableRelation'],
      [{ dimensionCode: 'NONE', dimensionValueCode: 'NORTH' }, 'Internal_InvalidTableRelation'],
      [
        { parentType: 'Customer', parentId: '11111111-1111-4111-8111-111111111111', dimensionCode: 'AREA' },
        'Internal_InvalidTableRelation',
      ],
      [{ dimensionCode: 'AREA' }, 'BadRequest_RequiredParamNotProvided'],
    ])('%j is refused with %s', async (body, code) => {
      expect(errorOf(await books.post('defaultDimensions', body)).code).toBe(code);
    });

    it.each([
      [{ postingValidation: 'Code Mandatory' }, undefined, 'Select a value for the dimension AREA'],
      [{ postingValidation: 'Same Code', dimensionValueCode: 'WEST' }, 'NORTH', "The value must be 'WEST'"],
      [{ postingValidation: 'No Code' }, 'NORTH', 'There must be none'],
    ])('a customer with %j and a document with %s is refused: %s', async (rule, valueCode, message) => {
      expectRefusal(await posted(rule, valueCode), message);
    });

    it.each([
      [{ postingValidation: 'Code Mandatory' }, 'NORTH'],
      [{ postingValidation: 'Same Code', dimensionValueCode: 'WEST' }, undefined],
      [{ postingValidation: 'No Code' }, undefined],
    ])('a customer with %j and a document with %s is posted', async (rule, valueCode) => {
      const reply = await posted(rule, valueCode);
      expect(reply.status, reply.text).toBe(204);
    });

    async function posted(rule: object, valueCode: string | undefined) {
      const customer = await books.make('customers', { displayName: 'Demanding' });
      await books.make(`customers(${customer.id})/defaultDimensions`, { dimensionCode: 'AREA', ...rule });
      const invoice = await books.make('salesInvoices', {
        customerId: customer.id,
        salesInvoiceLines: [{ lineType: 'Item', lineObjectNumber: '1056', quantity: 1 }],
      });
      if (valueCode) await books.make(`salesInvoices(${invoice.id})/dimensionSetLines`, { code: 'AREA', valueCode });
      return ledger.act('salesInvoices', invoice.id, 'post');
    }

    it('of a document and of its customer are on the entries', async () => {
      const customer = await books.make('customers', { displayName: 'Dimensioned' });
      const area = { dimensionCode: 'AREA', dimensionValueCode: 'NORTH' };
      await books.make(`customers(${customer.id})/defaultDimensions`, area);
      const again = await books.post(`customers(${customer.id})/defaultDimensions`, area);
      expect(errorOf(again)).toMatchObject({ status: 409, code: 'Internal_EntityWithSameKeyExists' });
      const invoice = await books.make('salesInvoices', {
        customerId: customer.id,
        salesInvoiceLines: [{ lineType: 'Item', lineObjectNumber: '1056', quantity: 1 }],
      });
      await books.make(`salesInvoices(${invoice.id})/dimensionSetLines`, { code: 'CHANNEL', valueCode: 'ONLINE' });
      await ledger.done('salesInvoices', invoice.id, 'post');
      const { number } = await ledger.read('salesInvoices', invoice.id);
      const entries = await ledger.all(
        `generalLedgerEntries?$filter=documentNumber eq '${number}'&$expand=dimensionSetLines($orderby=code)`,
      );
      expect(entries).toHaveLength(2);
      for (const { dimensionSetLines } of entries) {
        expect(dimensionSetLines).toMatchObject([
          { code: 'AREA', valueCode: 'NORTH', valueDisplayName: 'Northern Europe' },
          { code: 'CHANNEL', valueCode: 'ONLINE' },
        ]);
      }
      expectRefusal(
        await books.post(`salesInvoices(${invoice.id})/dimensionSetLines`, { code: 'DEPARTMENT', valueCode: 'SALES' }),
        'has been posted',
      );
    });

    it('of what has been posted stay as they are', async () => {
      const customer = await books.make('customers', { displayName: 'Closed' });
      const invoice = await books.make('salesInvoices', {
        customerId: customer.id,
        salesInvoiceLines: [{ lineType: 'Item', lineObjectNumber: '1056', quantity: 1 }],
      });
      const [line] = await ledger.lines('salesInvoices', invoice.id, 'salesInvoiceLines');
      const north = { code: 'AREA', valueCode: 'NORTH' };
      const own = await books.make(`salesInvoices(${invoice.id})/dimensionSetLines`, north);
      const ofLine = await books.make(`salesInvoiceLines(${line.id})/dimensionSetLines`, north);
      await ledger.done('salesInvoices', invoice.id, 'post');
      const { number } = await ledger.read('salesInvoices', invoice.id);
      const [entry] = await ledger.all(
        `generalLedgerEntries?$filter=documentNumber eq '${number}'&$expand=dimensionSetLines`,
      );
      const [ofEntry] = entry.dimensionSetLines;
      for (const [{ id }, message] of [
        [own, 'has been posted'],
        [ofLine, 'has been posted'],
        [ofEntry, 'cannot be changed'],
      ] as const) {
        expectRefusal(await books.delete(`dimensionSetLines(${id})`), message);
        expectRefusal(await books.patch(`dimensionSetLines(${id})`, { valueCode: 'WEST' }), message);
      }
      const online = { code: 'CHANNEL', valueCode: 'ONLINE' };
      expectRefusal(await books.post(`salesInvoiceLines(${line.id})/dimensionSetLines`, online), 'has been posted');
      expectRefusal(
        await books.post(`generalLedgerEntries(${entry.id})/dimensionSetLines`, online),
        'cannot be changed',
      );
    });

    it('of a draft go with it', async () => {
      const customer = await books.make('customers', { displayName: 'Open' });
      const order = await books.make('salesOrders', { customerId: customer.id });
      const line = { code: 'AREA', valueCode: 'NORTH' };
      const { id } = await books.make(`salesOrders(${order.id})/dimensionSetLines`, line);
      expect((await books.delete(`salesOrders(${order.id})`)).status).toBe(204);
      expect((await books.get(`dimensionSetLines(${id})`)).status).toBe(404);
    });
  });

  it('manually assigned numbers are skipped', async () => {
    const first = await books.make('vendors', { displayName: 'One' });
    const next = `V${String(Number(first.number.slice(1)) + 10).padStart(5, '0')}`;
    await books.make('vendors', { displayName: 'Two', number: next });
    const third = await books.make('vendors', { displayName: 'Three' });
    expect(Number(third.number.slice(1))).toBe(Number(next.slice(1)) + 10);
  });
});
