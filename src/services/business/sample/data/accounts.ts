/**
 * Initial chart of accounts: number, name, kind of line, and for posting accounts whether direct posting is allowed. `H` is a heading; `B`
 * begins a total and `E` ends it, over the given range of numbers; `P` is a posting account; `A` is posted to by the application only.
 */
export type AccountLine = readonly [
  number: string,
  name: string,
  kind: 'H' | 'B' | 'E' | 'P' | 'A',
  subCategory?: string,
  totaling?: string,
];

export interface AccountGroup {
  readonly category: string;
  readonly lines: readonly AccountLine[];
}

export const CHART: readonly AccountGroup[] = [
  {
    category: 'Assets',
    lines: [
      ['1000', 'Balance Sheet', 'H'],
      ['1005', 'Assets', 'B'],
      ['1010', 'Liquid Assets', 'B', 'Cash'],
      ['1110', 'Bank, Current Account', 'P', 'Cash'],
      ['1120', 'Bank, Savings Account', 'P', 'Cash'],
      ['1130', 'Petty Cash', 'P', 'Cash'],
      ['1190', 'Liquid Assets, Total', 'E', 'Cash', '1010..1190'],
      ['1300', 'Receivables', 'B', 'Accounts Receivable'],
      ['1310', 'Customers', 'A', 'Accounts Receivable'],
      ['1320', 'Other Receivables', 'P', 'Accounts Receivable'],
      ['1330', 'Prepaid Rent', 'P', 'Prepaid Expenses'],
      ['1390', 'Receivables, Total', 'E', 'Accounts Receivable', '1300..1390'],
      ['1400', 'Inventory', 'B', 'Inventory'],
      ['1410', 'Goods in Stock', 'A', 'Inventory'],
      ['1420', 'Inventory Adjustment', 'P', 'Inventory'],
      ['1490', 'Inventory, Total', 'E', 'Inventory', '1400..1490'],
      ['1600', 'Fixed Assets', 'B', 'Equipment'],
      ['1610', 'Warehouse Equipment', 'P', 'Equipment'],
      ['1620', 'Vehicles', 'P', 'Equipment'],
      ['1630', 'Office Equipment', 'P', 'Equipment'],
      ['1680', 'Accumulated Depreciation', 'P', 'Accumulated Depreciation'],
      ['1690', 'Fixed Assets, Total', 'E', 'Equipment', '1600..1690'],
      ['1999', 'Assets, Total', 'E', undefined, '1005..1999'],
    ],
  },
  {
    category: 'Liabilities',
    lines: [
      ['2000', 'Liabilities', 'B'],
      ['2300', 'Payables', 'B', 'Current Liabilities'],
      ['2310', 'Vendors', 'A', 'Current Liabilities'],
      ['2320', 'Other Payables', 'P', 'Current Liabilities'],
      ['2390', 'Payables, Total', 'E', 'Current Liabilities', '2300..2390'],
      ['2400', 'Tax', 'B', 'Current Liabilities'],
      ['2410', 'Sales Tax', 'A', 'Current Liabilities'],
      ['2420', 'Purchase Tax', 'A', 'Current Liabilities'],
      ['2430', 'Tax Settlement', 'P', 'Current Liabilities'],
      ['2490', 'Tax, Total', 'E', 'Current Liabilities', '2400..2490'],
      ['2500', 'Personnel Liabilities', 'B', 'Payroll Liabilities'],
      ['2510', 'Employees', 'P', 'Payroll Liabilities'],
      ['2520', 'Social Security', 'P', 'Payroll Liabilities'],
      ['2590', 'Personnel Liabilities, Total', 'E', 'Payroll Liabilities', '2500..2590'],
      ['2700', 'Bank Loan', 'P', 'Long Term Liabilities'],
      ['2999', 'Liabilities, Total', 'E', undefined, '2000..2999'],
    ],
  },
  {
    category: 'Equity',
    lines: [
      ['3000', 'Equity', 'B'],
      ['3110', 'Share Capital', 'P', 'Common Stock'],
      ['3120', 'Retained Earnings', 'P', 'Retained Earnings'],
      ['3999', 'Equity, Total', 'E', undefined, '3000..3999'],
    ],
  },
  {
    category: 'Income',
    lines: [
      ['4000', 'Income Statement', 'H'],
      ['4005', 'Revenue', 'B'],
      ['4110', 'Sales of Goods', 'P', 'Income, Product Sales'],
      ['4120', 'Returned Goods', 'P', 'Sales Returns & Allowances'],
      ['4130', 'Sales of Own Products', 'P', 'Income, Product Sales'],
      ['4210', 'Sales of Services', 'P', 'Income, Services'],
      ['4220', 'Returned Services', 'P', 'Sales Returns & Allowances'],
      ['4310', 'Freight Charged', 'P', 'Income, Services'],
      ['4410', 'Interest Earned', 'P', 'Income, Interest'],
      ['4999', 'Revenue, Total', 'E', undefined, '4005..4999'],
    ],
  },
  {
    category: 'Cost of Goods Sold',
    lines: [
      ['5000', 'Cost', 'B'],
      ['5110', 'Cost of Goods', 'P', 'Cost of Materials'],
      ['5120', 'Purchases Not Stocked', 'P', 'Cost of Materials'],
      ['5130', 'Cost of Own Products', 'P', 'Cost of Materials'],
      ['5210', 'Cost of Services', 'P', 'Cost of Labor'],
      ['5220', 'Purchased Services', 'P', 'Cost of Labor'],
      ['5999', 'Cost, Total', 'E', undefined, '5000..5999'],
    ],
  },
  {
    category: 'Expense',
    lines: [
      ['6000', 'Operating Expenses', 'B'],
      ['6110', 'Rent', 'P', 'Rent Expense'],
      ['6120', 'Electricity and Heating', 'P', 'Utilities Expense'],
      ['6130', 'Cleaning and Repairs', 'P', 'Repairs and Maintenance Expense'],
      ['6210', 'Office Supplies', 'P', 'Other Income & Expenses'],
      ['6220', 'Telephone and Internet', 'P', 'Utilities Expense'],
      ['6310', 'Advertising', 'P', 'Advertising Expense'],
      ['6320', 'Travel', 'P', 'Travel Expense'],
      ['6410', 'Delivery', 'P', 'Other Income & Expenses'],
      ['6510', 'Insurance', 'P', 'Insurance Expense'],
      ['7110', 'Wages', 'P', 'Payroll Expense'],
      ['7120', 'Employer Contributions', 'P', 'Payroll Expense'],
      ['8110', 'Bank Charges', 'P', 'Interest Expense'],
      ['8210', 'Depreciation', 'P', 'Other Income & Expenses'],
      ['8790', 'Rounding Differences', 'P', 'Other Income & Expenses'],
      ['8999', 'Operating Expenses, Total', 'E', undefined, '6000..8999'],
    ],
  },
];
