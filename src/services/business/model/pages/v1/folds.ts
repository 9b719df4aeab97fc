import type { Fold } from './as-version-one.ts';

const ADDRESS_TYPE = 'postalAddressType';

/** For a customer, a vendor, an employee, a location, the company. */
export const ADDRESS: Fold = {
  name: 'address',
  typeName: ADDRESS_TYPE,
  parts: {
    street: 'addressLine1',
    city: 'city',
    state: 'state',
    countryLetterCode: 'country',
    postalCode: 'postalCode',
  },
  instead: ['addressLine2'],
};

/** For a party to a document: `sellTo`, `billTo`. */
const addressOf = (name: string, party: string): Fold => ({
  name,
  typeName: ADDRESS_TYPE,
  parts: {
    street: `${party}AddressLine1`,
    city: `${party}City`,
    state: `${party}State`,
    countryLetterCode: `${party}Country`,
    postalCode: `${party}PostCode`,
  },
  instead: [`${party}AddressLine2`],
});

const SELLING = addressOf('sellingPostalAddress', 'sellTo');
const BILLING = addressOf('billingPostalAddress', 'billTo');
const SHIPPING = addressOf('shippingPostalAddress', 'shipTo');

export const SALES_ADDRESSES: readonly Fold[] = [SELLING, BILLING, SHIPPING];
export const CREDIT_MEMO_ADDRESSES: readonly Fold[] = [SELLING, BILLING];
export const PURCHASE_ADDRESSES: readonly Fold[] = [
  addressOf('buyFromAddress', 'buyFrom'),
  addressOf('shipToAddress', 'shipTo'),
  addressOf('payToAddress', 'payTo'),
];

export const ITEM_UNIT: Fold = {
  name: 'baseUnitOfMeasure',
  typeName: 'itemUnitOfMeasureType',
  parts: {
    unitCode: 'baseUnitOfMeasureCode',
    unitName: 'baseUnitOfMeasureName',
    symbol: 'baseUnitOfMeasureSymbol',
    unitConversion: 'baseUnitOfMeasureConversion',
  },
};

export const LINE_DETAILS: Fold = {
  name: 'lineDetails',
  typeName: 'documentLineObjectDetailsType',
  parts: { number: 'lineObjectNumber', displayName: 'lineObjectName' },
};

export const LINE_UNIT: Fold = {
  name: 'unitOfMeasure',
  typeName: 'unitOfMeasureType',
  parts: { code: 'unitOfMeasureCode', displayName: 'unitOfMeasureName', symbol: 'unitOfMeasureSymbol' },
};
