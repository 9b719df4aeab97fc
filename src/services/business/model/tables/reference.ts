import { countryRegionAddressFormat, taxType } from '../enums.ts';
import { boolean, code, decimal, initially, internal, named, option, text } from '../notation.ts';

/** A code and a name: most of what other records refer to. */
const CODED = { slots: { code: 't1', displayName: 't2' }, key: 'code' } as const;

/** What is set up once and then referred to. */
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
      /** What one unit is worth in the currency of the books. */
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
      /** The full rate of the area. */
      taxPercent: internal(decimal),
    },
  },
  taxGroup: {
    ...CODED,
    number: 321,
    caption: 'Tax Group',
    // Not shown: how many percent of the area's full rate it is taxed with.
    fields: {
      code: code(20),
      displayName: text(100),
      taxType: option(taxType),
      /** How many percent of an area's full rate it is taxed with. */
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
