/** Groups of fields that several tables share. */
import { code, text } from '../notation.ts';
import type { Field } from '../types.ts';

export const ADDRESS: Readonly<Record<string, Field>> = {
  addressLine1: text(100),
  addressLine2: text(50),
  city: text(30),
  state: text(30),
  country: code(10),
  postalCode: text(20),
};

const DOCUMENT_ADDRESS = {
  AddressLine1: ADDRESS.addressLine1!,
  AddressLine2: ADDRESS.addressLine2!,
  City: ADDRESS.city!,
  Country: ADDRESS.country!,
  State: ADDRESS.state!,
  PostCode: ADDRESS.postalCode!,
} as const;

/** The address of a document's party: `sellToAddressLine1`, …, `sellToPostCode`. */
export const addressOf = (party: string): Readonly<Record<string, Field>> =>
  Object.fromEntries(Object.entries(DOCUMENT_ADDRESS).map(([part, field]) => [`${party}${part}`, field]));

/** Fields that a document copies from the address of a customer or a vendor. */
export const addressCopies = (party: string): Readonly<Record<string, string>> => ({
  [`${party}AddressLine1`]: 'addressLine1',
  [`${party}AddressLine2`]: 'addressLine2',
  [`${party}City`]: 'city',
  [`${party}Country`]: 'country',
  [`${party}State`]: 'state',
  [`${party}PostCode`]: 'postalCode',
});
