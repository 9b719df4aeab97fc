/** Initial data of every company besides its accounts: a table, field names, and rows. */
import type { Value } from '../../model/types.ts';

export interface DataTable {
  readonly table: string;
  readonly fields: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

export const REFERENCE_DATA: readonly DataTable[] = [
  {
    table: 'currency',
    fields: ['code', 'displayName', 'symbol', 'exchangeRate', 'amountDecimalPlaces', 'amountRoundingPrecision'],
    rows: [
      ['AUD', 'Australian dollar', '$', 0.6, '2:2', 0.01],
      ['CAD', 'Canadian dollar', '$', 0.68, '2:2', 0.01],
      ['CHF', 'Swiss franc', 'CHF', 1.05, '2:2', 0.05],
      ['CZK', 'Czech koruna', 'Kč', 0.04, '2:2', 0.01],
      ['DKK', 'Danish krone', 'kr', 0.134, '2:2', 0.01],
      ['EUR', 'Euro', '€', 1, '2:2', 0.01],
      ['GBP', 'Pound sterling', '£', 1.18, '2:2', 0.01],
      ['HUF', 'Hungarian forint', 'Ft', 0.0025, '2:2', 0.01],
      ['NOK', 'Norwegian krone', 'kr', 0.086, '2:2', 0.01],
      ['PLN', 'Polish zloty', 'zł', 0.23, '2:2', 0.01],
      ['SEK', 'Swedish krona', 'kr', 0.088, '2:2', 0.01],
      ['USD', 'United States dollar', '$', 0.92, '2:2', 0.01],
    ],
  },
  {
    table: 'countryRegion',
    fields: ['code', 'displayName', 'addressFormat'],
    rows: [
      ['AT', 'Austria', 'Post Code+City'],
      ['BE', 'Belgium', 'Post Code+City'],
      ['CA', 'Canada', 'City+County+Post Code'],
      ['CH', 'Switzerland', 'Post Code+City'],
      ['CZ', 'Czechia', 'Post Code+City'],
      ['DE', 'Germany', 'Post Code+City'],
      ['DK', 'Denmark', 'Post Code+City'],
      ['FR', 'France', 'Post Code+City'],
      ['GB', 'Great Britain', 'City+Post Code'],
      ['HU', 'Hungary', 'Post Code+City'],
      ['IT', 'Italy', 'Post Code+City'],
      ['NL', 'Netherlands', 'Post Code+City'],
      ['NO', 'Norway', 'Post Code+City'],
      ['PL', 'Poland', 'Post Code+City'],
      ['SE', 'Sweden', 'Post Code+City'],
      ['SI', 'Slovenia', 'Post Code+City'],
      ['US', 'United States', 'City+County+Post Code'],
    ],
  },
  {
    table: 'paymentTerm',
    fields: ['code', 'displayName', 'dueDateCalculation', 'discountDateCalculation', 'discountPercent'],
    rows: [
      ['10 DAYS', 'Net 10 days', '10D', '', 0],
      ['14 DAYS', 'Net 14 days', '14D', '', 0],
      ['1M(8D)', 'One month, 2 % within 8 days', '1M', '8D', 2],
      ['30 DAYS', 'Net 30 days', '30D', '', 0],
      ['60 DAYS', 'Net 60 days', '60D', '', 0],
      ['CM', 'End of the month', 'CM', '', 0],
      ['CM+10', 'Ten days after the end of the month', 'CM+10D', '', 0],
      ['COD', 'Cash on delivery', '0D', '', 0],
    ],
  },
  {
    table: 'paymentMethod',
    fields: ['code', 'displayName'],
    rows: [
      ['ACCOUNT', 'On account'],
      ['BANK', 'Bank transfer'],
      ['CARD', 'Card'],
      ['CASH', 'Cash'],
      ['DEBIT', 'Direct debit'],
    ],
  },
  {
    table: 'shipmentMethod',
    fields: ['code', 'displayName'],
    rows: [
      ['CIF', 'Cost, insurance and freight'],
      ['DAP', 'Delivered at place'],
      ['DDP', 'Delivered, duty paid'],
      ['EXW', 'Ex works'],
      ['FCA', 'Free carrier'],
      ['PICKUP', 'Collected by the customer'],
    ],
  },
  {
    table: 'unitOfMeasure',
    fields: ['code', 'displayName', 'internationalStandardCode', 'symbol'],
    rows: [
      ['BOX', 'Box', 'BX', 'box'],
      ['CAN', 'Can', 'CA', 'can'],
      ['HOUR', 'Hour', 'HUR', 'h'],
      ['KG', 'Kilogram', 'KGM', 'kg'],
      ['KM', 'Kilometre', 'KMT', 'km'],
      ['PACK', 'Pack', 'PK', 'pack'],
      ['PAIR', 'Pair', 'PR', 'pair'],
      ['PCS', 'Piece', 'EA', 'pcs'],
      ['SET', 'Set', 'SET', 'set'],
    ],
  },
  {
    table: 'taxArea',
    fields: ['code', 'displayName', 'taxType', 'taxPercent'],
    rows: [
      ['DOMESTIC', 'Domestic', 'VAT', 20],
      ['EXPORT', 'Outside the union', 'VAT', 0],
      ['UNION', 'Within the union, reverse charge', 'VAT', 0],
    ],
  },
  {
    table: 'taxGroup',
    fields: ['code', 'displayName', 'taxType', 'shareOfRate'],
    rows: [
      ['REDUCED', 'Half the standard rate', 'VAT', 50],
      ['STANDARD', 'Standard rate', 'VAT', 100],
      ['ZERO', 'Not taxed', 'VAT', 0],
    ],
  },
  {
    table: 'generalProductPostingGroup',
    fields: ['code', 'description', 'defaultVatProductPostingGroup', 'autoInsertDefault'],
    rows: [
      ['MAKE', 'Own products', 'STANDARD', true],
      ['RETAIL', 'Goods', 'STANDARD', true],
      ['SERVICES', 'Services', 'STANDARD', true],
    ],
  },
  {
    table: 'inventoryPostingGroup',
    fields: ['code', 'description'],
    rows: [
      ['FINISHED', 'Own products'],
      ['RESALE', 'Goods for resale'],
    ],
  },
  {
    table: 'location',
    fields: ['code', 'displayName', 'addressLine1', 'city', 'country', 'postalCode'],
    rows: [
      ['EAST', 'Warehouse East', 'Industriezeile 12', 'Wien', 'AT', '1220'],
      ['MAIN', 'Main Warehouse', 'Hafenstrasse 48', 'Linz', 'AT', '4020'],
    ],
  },
  {
    table: 'dimension',
    fields: ['code', 'displayName'],
    rows: [
      ['AREA', 'Area'],
      ['CHANNEL', 'Sales Channel'],
      ['DEPARTMENT', 'Department'],
    ],
  },
  {
    table: 'journal',
    fields: ['code', 'displayName', 'templateDisplayName', 'balancingAccountNumber'],
    rows: [
      ['CASH', 'Petty cash', 'GENERAL', '1130'],
      ['DAILY', 'Daily journal', 'GENERAL', ''],
      ['DEFAULT', 'Default journal', 'GENERAL', ''],
      ['BANK', 'Bank receipts', 'CASHRCPT', '1110'],
      ['CARDS', 'Card receipts', 'CASHRCPT', '1110'],
      ['BANKOUT', 'Bank payments', 'PAYMENTS', '1110'],
    ],
  },
  {
    table: 'disputeStatus',
    fields: ['code', 'displayName'],
    rows: [
      ['DAMAGED', 'Goods arrived damaged'],
      ['PRICE', 'Price is in question'],
      ['QUANTITY', 'Quantity is in question'],
    ],
  },
];

/** Values of dimensions: dimension, code, name. */
export const DIMENSION_VALUES: readonly (readonly [dimension: string, code: string, name: string])[] = [
  ['AREA', 'ALPS', 'Alpine countries'],
  ['AREA', 'NORTH', 'Northern Europe'],
  ['AREA', 'OVERSEAS', 'Overseas'],
  ['AREA', 'WEST', 'Western Europe'],
  ['CHANNEL', 'DIRECT', 'Direct sales'],
  ['CHANNEL', 'ONLINE', 'Online shop'],
  ['CHANNEL', 'PARTNER', 'Partners'],
  ['DEPARTMENT', 'ADM', 'Administration'],
  ['DEPARTMENT', 'LOGISTICS', 'Logistics'],
  ['DEPARTMENT', 'PURCHASE', 'Purchasing'],
  ['DEPARTMENT', 'SALES', 'Sales'],
];
