/**
 * The sizes of a warehouse, and the Databricks units per hour of one cluster of each size. The units count against the serverless quota of
 * the account in its region.
 */
export const UNITS_PER_HOUR = {
  '2X-Small': 4,
  'X-Small': 6,
  Small: 12,
  Medium: 24,
  Large: 40,
  'X-Large': 80,
  '2X-Large': 144,
  '3X-Large': 272,
  '4X-Large': 528,
  '5X-Large': 1056,
} as const;

export type WarehouseSize = keyof typeof UNITS_PER_HOUR;

export const WAREHOUSE_SIZES = Object.keys(UNITS_PER_HOUR) as readonly WarehouseSize[];
