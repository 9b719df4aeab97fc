import { countryRegionAddressFormat, taxType } from '../enums.ts';
import { boolean, code, decimal, initially, internal, named, option, text } from '../notation.ts';

/** Records with a code and a name: most reference data. */
const CODED = { slots: { code: 't1', displayName: 't2' }, key: 'code' } as const;

/** Reference data: set up once, then referred to. */
export const REFERENCE_TABLES = named({
  currency: {
    ...CODED,
    number: 4,
    caption: 'Currency',
    fields: {
      code: code(10),
      displayName: text(100),
      symbol: text(10),
      amountDecimalPlaces: initially('2:2', text(5)),
      amountRoundingPrecision: initially(0.01, decimal),
      /** Value of one unit in the currency of the books. */
      exchangeRate: internal(initially(1, decimal)),
    },
  },
  paymentTerm: {
    ...CODED,
    number: 3,
    caption: 'Payment Terms',
    fields: {
      code: code(10),
      displayName: text(100),
      dueDateCalculation: text(32),
      discountDateCalculation: text(32),
      discountPercent: decimal,
      calculateDiscountOnCreditMemos: boolean,
    },
  },
  paymentMethod: {
    ...CODED,
    number: 289,
    caption: 'Payment Method',
    fields: { code: code(10), displayName: text(100) },
  },
  shipmentMethod: {
    ...CODED,
    number: 10,
    caption: 'Shipment Method',
    fields: { code: code(10), displayName: text(100) },
  },
  countryRegion: {
    ...CODED,
    number: 9,
    caption: 'Country/Region',
    fields: { code: code(10), displayName: text(50), addressFormat: option(countryRegionAddressFormat) },
  },
  taxArea: {
    ...CODED,
    number: 318,
    caption: 'Tax Area',
    fields: {
      code: code(20),
      displayName: text(100),
      taxType: option(taxType),
      /** Full tax rate of the area, in percent. */
      taxPercent: internal(decimal),
    },
  },
  taxGroup: {
    ...CODED,
    number: 321,
    caption: 'Tax Group',
    // `shareOfRate`, which is not shown, is the percentage of the area's full rate.
    fields: {
      code: code(20),
      displayName: text(100),
      taxType: option(taxType),
      /** Percentage of the area's full tax rate that applies. */
      shareOfRate: internal(initially(100, decimal)),
    },
  },
  disputeStatus: {
    ...CODED,
    number: 2890,
    caption: 'Dispute Status',
    fields: { code: code(10), displayName: text(100) },
  },
});
