export const COMPANY_INFORMATION = {
  addressLine1: 'Hafenstrasse 48',
  addressLine2: 'Halle 3',
  city: 'Linz',
  state: '',
  country: 'AT',
  postalCode: '4020',
  phoneNumber: '+43 732 555 0100',
  faxNumber: '+43 732 555 0101',
  email: 'office@brennsee.example',
  website: 'https://www.brennsee.example',
  taxRegistrationNumber: 'ATU55501000',
  currencyCode: 'EUR',
  industry: 'Wholesale',
  experience: 'Essential',
} as const;

/** Number series: name, last number before the first one, step. */
export const NUMBER_SERIES: readonly (readonly [series: string, last: string, step: number])[] = [
  ['CUST', 'C00300', 10],
  ['VEND', 'V00250', 10],
  ['ITEM', '1060', 1],
  ['EMP', 'E0012', 1],
  ['S-QUO', 'S-QUO1000', 1],
  ['S-ORD', 'S-ORD101000', 1],
  ['S-INV', 'S-INV102000', 1],
  ['S-INV+', 'PS-INV103000', 1],
  ['S-CR', 'S-CR1000', 1],
  ['S-CR+', 'PS-CR104000', 1],
  ['P-INV', 'P-INV107000', 1],
  ['P-INV+', 'PP-INV108000', 1],
  ['GENJNL', 'G00000', 1],
];
