/** Enumerations of the application, with members in the order of the real service. */
import type { EnumType } from './types.ts';

const enumeration = (name: string, ...members: readonly string[]): EnumType => ({ name, members });

const BLANK = ' ';

export const glAccountCategory = enumeration(
  'glAccountCategory',
  BLANK,
  'Assets',
  'Liabilities',
  'Equity',
  'Income',
  'Cost of Goods Sold',
  'Expense',
);

export const glAccountType = enumeration('glAccountType', 'Posting', 'Heading', 'Total', 'Begin Total', 'End Total');

export const contactType = enumeration('contactType', 'Company', 'Person');

export const customerBlocked = enumeration('customerBlocked', BLANK, 'Ship', 'Invoice', 'All');

export const vendorBlocked = enumeration('vendorBlocked', BLANK, 'Payment', 'All');

export const itemType = enumeration('itemType', 'Inventory', 'Service', 'Non-Inventory');

export const employeeStatus = enumeration('employeeStatus', 'Active', 'Inactive', 'Terminated');

export const genJournalDocumentType = enumeration(
  'genJournalDocumentType',
  BLANK,
  'Payment',
  'Invoice',
  'Credit Memo',
  'Finance Charge Memo',
  'Reminder',
  'Refund',
);

export const genJournalAccountType = enumeration(
  'genJournalAccountType',
  'G/L Account',
  'Customer',
  'Vendor',
  'Bank Account',
  'Fixed Asset',
  'IC Partner',
  'Employee',
);

export const invoiceEntityAggregateStatus = enumeration(
  'invoiceEntityAggregateStatus',
  BLANK,
  'Draft',
  'In Review',
  'Open',
  'Paid',
  'Canceled',
  'Corrective',
);

export const salesOrderEntityBufferStatus = enumeration('salesOrderEntityBufferStatus', 'Draft', 'In Review', 'Open');

export const salesQuoteEntityBufferStatus = enumeration(
  'salesQuoteEntityBufferStatus',
  'Draft',
  'Sent',
  'Accepted',
  'Expired',
);

export const salesCrMemoEntityBufferStatus = enumeration(
  'salesCrMemoEntityBufferStatus',
  'Draft',
  'In Review',
  'Open',
  'Canceled',
  'Corrective',
  'Paid',
);

export const invoiceLineAggLineType = enumeration(
  'invoiceLineAggLineType',
  'Comment',
  'Account',
  'Item',
  'Resource',
  'Fixed Asset',
  'Charge',
);

export const countryRegionAddressFormat = enumeration(
  'countryRegionAddressFormat',
  'Post Code+City',
  'City+Post Code',
  'City+County+Post Code',
  'Blank Line+Post Code+City',
  'Custom',
);

export const taxType = enumeration('taxType', 'Sales Tax', 'VAT');

export const timeSheetStatus = enumeration('timeSheetStatus', 'Open', 'Submitted', 'Rejected', 'Approved');

export const contactRelatedType = enumeration(
  'contactRelatedType',
  BLANK,
  'Customer',
  'Vendor',
  'Bank Account',
  'Employee',
);

export const defaultDimensionParentType = enumeration(
  'defaultDimensionParentType',
  BLANK,
  'Customer',
  'Item',
  'Vendor',
  'Employee',
);

export const defaultDimensionValuePosting = enumeration(
  'defaultDimensionValuePosting',
  BLANK,
  'Code Mandatory',
  'Same Code',
  'No Code',
);

export const dimensionSetEntryBufferParentType = enumeration(
  'dimensionSetEntryBufferParentType',
  BLANK,
  'Journal Line',
  'Sales Order',
  'Sales Order Line',
  'Sales Quote',
  'Sales Quote Line',
  'Sales Credit Memo',
  'Sales Credit Memo Line',
  'Sales Invoice',
  'Sales Invoice Line',
  'Purchase Invoice',
  'Purchase Invoice Line',
  'General Ledger Entry',
  'Time Registration Entry',
);

export const attachmentEntityBufferDocType = enumeration(
  'attachmentEntityBufferDocType',
  BLANK,
  'Journal',
  'Sales Order',
  'Sales Quote',
  'Sales Credit Memo',
  'Sales Invoice',
  'Purchase Invoice',
  'General Ledger Entry',
  'Employee',
  'Item',
  'Customer',
  'Vendor',
);

export const pictureEntityParentType = enumeration(
  'pictureEntityParentType',
  BLANK,
  'Customer',
  'Item',
  'Vendor',
  'Employee',
);

export const jobQueueStatus = enumeration('jobQueueStatus', 'Ready', 'In Process', 'Error', 'On Hold', 'Finished');
