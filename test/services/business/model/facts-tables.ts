/**
 * Documented fields of the real service. A field is its name and its type: G guid, S string (with its length if known), B boolean, D
 * decimal, I int32, L int64, d date, T date-time, X stream, E enumeration (with its name if known). An exclamation mark: read-only. Every
 * set also has `id` and `lastModifiedDateTime`, unless noted.
 */

export interface KnownEntity {
  /** Verbs besides GET. */
  readonly writes: 'all' | 'none' | 'PATCH';
  readonly fields: string;
  readonly navigations?: string;
  readonly actions?: string;
  /** The record does not show its modification time. */
  readonly undated?: true;
}

const ADDRESS = 'addressLine1 S, addressLine2 S, city S, state S, country S, postalCode S';

const block = (party: string): string =>
  ['AddressLine1', 'AddressLine2', 'City', 'Country', 'State', 'PostCode']
    .map((part) => `${party}${part} S`)
    .join(', ');

const SALES_HEADER = `number S20, externalDocumentNumber S35, postingDate d, customerId G, customerNumber S20, customerName S100!, billToName S100,
  billToCustomerId G, billToCustomerNumber S20, ${block('sellTo')}, ${block('billTo')}, shortcutDimension1Code S, shortcutDimension2Code S,
  currencyId G, currencyCode S, paymentTermsId G, shipmentMethodId G, salesperson S20, discountAmount D, totalAmountExcludingTax D!, totalTaxAmount D!,
  totalAmountIncludingTax D!, phoneNumber S30, email S80`;

const SHIP_TO = `${block('shipTo')}, shipToName S100, shipToContact S`;

const salesNavigations = (lines: string): string =>
  `customer, dimensionValue, currency, paymentTerm, shipmentMethod, dimensionSetLines*, ${lines}*, pdfDocument, attachments*, documentAttachments*`;

const LINE = `documentId G, sequence I, itemId G, accountId G, lineType E(invoiceLineAggLineType), lineObjectNumber S, description S100, description2 S,
  unitOfMeasureId G, unitOfMeasureCode S10, quantity D, discountAmount D, discountPercent D, discountAppliedBeforeTax B, amountExcludingTax D, taxCode S50,
  taxPercent D, totalTaxAmount D, amountIncludingTax D, netAmount D, netTaxAmount D, netAmountIncludingTax D, itemVariantId G, locationId G`;

const lines = (parent: string, extras: string): KnownEntity => ({
  writes: 'all',
  undated: true,
  fields: `${LINE}, ${extras}`,
  navigations: `${parent}, item, account, unitOfMeasure, itemVariant, dimensionSetLines*, location`,
});

/** v2.0: sets with their members. A star: the navigation leads to many records. */
export const ENTITIES: Readonly<Record<string, KnownEntity>> = {
  accounts: {
    writes: 'none',
    fields: `number S20, displayName S100, category E(glAccountCategory), subCategory S80, blocked B, accountType E(glAccountType), directPosting B, netChange D,
      consolidationTranslationMethod S, consolidationDebitAccount S, consolidationCreditAccount S, excludeFromConsolidation B`,
    navigations: 'trialBalance',
  },
  companyInformation: {
    writes: 'PATCH',
    fields: `displayName S100, ${ADDRESS}, phoneNumber S30, faxNumber S30, email S80, website S80, taxRegistrationNumber S20, currencyCode S, industry S30,
      experience S, currentFiscalYearStartDate d, picture X`,
  },
  countriesRegions: { writes: 'all', fields: 'code S10, displayName S50, addressFormat E' },
  currencies: {
    writes: 'all',
    fields: 'code S, displayName S100, symbol S, amountDecimalPlaces S, amountRoundingPrecision D',
  },
  customerPaymentJournals: {
    writes: 'all',
    fields: 'code S10, displayName S100, balancingAccountId G, balancingAccountNumber S20',
    navigations: 'customerPayments*',
  },
  customerPayments: {
    writes: 'all',
    fields: `journalId G, journalDisplayName S, lineNumber I, customerId G, customerNumber S20, postingDate d, documentNumber S20, externalDocumentNumber S35,
      amount D, appliesToInvoiceId G, appliesToInvoiceNumber S, description S100, comment S250`,
    navigations: 'customerPaymentJournal, customer, dimensionSetLines*',
  },
  customers: {
    writes: 'all',
    fields: `number S20, displayName S100, ${ADDRESS}, phoneNumber S30, email S80, website S80, salespersonCode S, type E(contactType), balanceDue D!,
      creditLimit D, taxLiable B, taxAreaId G, taxAreaDisplayName S!, taxRegistrationNumber S20, currencyId G, currencyCode S, paymentTermsId G,
      shipmentMethodId G, paymentMethodId G, blocked E(customerBlocked)`,
    navigations: `currency, paymentTerm, shipmentMethod, paymentMethod, customerFinancialDetail, picture, defaultDimensions*, agedAccountsReceivable,
      contactsInformation*, documentAttachments*`,
  },
  dimensions: {
    writes: 'none',
    fields: 'code S20, displayName S30, consolidationCode S',
    navigations: 'dimensionValues*',
  },
  dimensionValues: {
    writes: 'none',
    fields: 'code S, dimensionId G, displayName S100, consolidationCode S',
    navigations: 'dimension',
  },
  employees: {
    writes: 'all',
    fields: `number S20, displayName S100!, givenName S30, middleName S30, surname S30, jobTitle S30, ${ADDRESS}, phoneNumber S30, mobilePhone S, email S80,
      personalEmail S, statisticsGroupCode S10, bankBranchNumber S, bankAccountNumber S, iban S, employmentDate d, terminationDate d, birthDate d,
      status E(employeeStatus)`,
    navigations: 'picture, defaultDimensions*, timeRegistrationEntries*, documentAttachments*',
  },
  generalLedgerEntries: {
    writes: 'none',
    fields: `entryNumber I, postingDate d, documentNumber S20, documentType E(genJournalDocumentType), accountId G, accountNumber S20, description S100,
      debitAmount D, creditAmount D, additionalCurrencyDebitAmount D, additionalCurrencyCreditAmount D`,
    navigations: 'account, attachments*, dimensionSetLines*',
  },
  itemCategories: { writes: 'all', fields: 'code S20, displayName S100' },
  items: {
    writes: 'all',
    fields: `number S20, displayName S100, displayName2 S, type E(itemType), itemCategoryId G, itemCategoryCode S20, blocked B, gtin S14, inventory D!, unitPrice D,
      priceIncludesTax B, unitCost D, taxGroupId G, taxGroupCode S20, baseUnitOfMeasureId G, baseUnitOfMeasureCode S10, generalProductPostingGroupId G,
      generalProductPostingGroupCode S, inventoryPostingGroupId G, inventoryPostingGroupCode S`,
    navigations: `itemCategory, inventoryPostingGroup, generalProductPostingGroup, unitOfMeasure, picture, defaultDimensions*, itemVariants*,
      documentAttachments*`,
  },
  journals: {
    writes: 'all',
    fields: 'code S10, displayName S100, templateDisplayName S, balancingAccountId G, balancingAccountNumber S20',
    navigations: 'journalLines*',
    actions: 'post',
  },
  journalLines: {
    writes: 'all',
    fields: `journalId G, journalDisplayName S, lineNumber I, accountType E(genJournalAccountType), accountId G, accountNumber S20, postingDate d,
      documentNumber S20, externalDocumentNumber S35, amount D, description S100, comment S250, taxCode S50, balanceAccountType E(genJournalAccountType),
      balancingAccountId G, balancingAccountNumber S20`,
    navigations: 'journal, customerPaymentJournal, account, attachments*, dimensionSetLines*',
  },
  paymentMethods: { writes: 'all', fields: 'code S10, displayName S100' },
  paymentTerms: {
    writes: 'all',
    fields: `code S10, displayName S100, dueDateCalculation S, discountDateCalculation S, discountPercent D, calculateDiscountOnCreditMemos B`,
  },
  shipmentMethods: { writes: 'all', fields: 'code S10, displayName S100' },
  unitsOfMeasure: {
    writes: 'all',
    fields: 'code S10, displayName S50, internationalStandardCode S10, symbol S',
  },
  vendors: {
    writes: 'all',
    fields: `number S20, displayName S100, ${ADDRESS}, phoneNumber S30, email S80, website S80, taxRegistrationNumber S20, currencyId G, currencyCode S,
      irs1099Code S, paymentTermsId G, paymentMethodId G, taxLiable B, blocked E(vendorBlocked), balance D!`,
    navigations: `currency, paymentTerm, paymentMethod, picture, defaultDimensions*, agedAccountsPayable, contactsInformation*, documentAttachments*`,
  },
  companies: {
    writes: 'none',
    undated: true,
    fields: `systemVersion S, timestamp L, name S30, displayName S250, businessProfileId S250, systemCreatedAt T, systemCreatedBy G, systemModifiedAt T,
      systemModifiedBy G`,
  },
  defaultDimensions: {
    writes: 'all',
    fields: `parentType E, parentId G, dimensionId G, dimensionCode S20, dimensionValueId G, dimensionValueCode S, postingValidation E`,
  },
  dimensionSetLines: {
    writes: 'all',
    undated: true,
    fields: `code S20, displayName S30, consolidationCode S, parentId G, parentType E, valueId G, valueCode S, valueDisplayName S, valueConsolidationCode S`,
  },
  salesOrders: {
    writes: 'all',
    fields: `${SALES_HEADER}, ${SHIP_TO}, status E(salesOrderEntityBufferStatus)!, orderDate d, pricesIncludeTax B!, partialShipping B, requestedDeliveryDate d,
      discountAppliedBeforeTax B, fullyShipped B!`,
    navigations: salesNavigations('salesOrderLines'),
    actions: 'shipAndInvoice',
  },
  salesInvoices: {
    writes: 'all',
    fields: `${SALES_HEADER}, ${SHIP_TO}, status E(invoiceEntityAggregateStatus)!, invoiceDate d, dueDate d, promisedPayDate d,
      customerPurchaseOrderReference S35, orderId G!, orderNumber S20!, disputeStatusId G, disputeStatus S, pricesIncludeTax B, remainingAmount D!,
      discountAppliedBeforeTax B`,
    navigations: salesNavigations('salesInvoiceLines'),
    actions: 'post, postAndSend, send, cancel, cancelAndSend, makeCorrectiveCreditMemo',
  },
  salesQuotes: {
    writes: 'all',
    fields: `${SALES_HEADER}, ${SHIP_TO}, status E(salesQuoteEntityBufferStatus)!, documentDate d, dueDate d, sentDate T!, validUntilDate d, acceptedDate d`,
    navigations: salesNavigations('salesQuoteLines'),
    actions: 'send, makeInvoice, makeOrder',
  },
  salesCreditMemos: {
    writes: 'all',
    fields: `${SALES_HEADER}, status E(salesCrMemoEntityBufferStatus)!, creditMemoDate d, dueDate d, pricesIncludeTax B, discountAppliedBeforeTax B, invoiceId G,
      invoiceNumber S, customerReturnReasonId G`,
    navigations: salesNavigations('salesCreditMemoLines'),
    actions: 'post, postAndSend, send, cancel, cancelAndSend',
  },
  purchaseInvoices: {
    writes: 'all',
    fields: `number S20, vendorId G, vendorNumber S20, vendorName S100!, vendorInvoiceNumber S, invoiceDate d, postingDate d, dueDate d, payToName S100,
      payToContact S, payToVendorId G, payToVendorNumber S20, ${block('buyFrom')}, ${block('shipTo')}, ${block('payTo')}, shipToName S100, shipToContact S,
      shortcutDimension1Code S, shortcutDimension2Code S, currencyId G, currencyCode S, orderId G, orderNumber S20, purchaser S, pricesIncludeTax B,
      discountAmount D, discountAppliedBeforeTax B, totalAmountExcludingTax D!, totalTaxAmount D!, totalAmountIncludingTax D!,
      status E(invoiceEntityAggregateStatus)!`,
    navigations:
      'vendor, dimensionValue, currency, dimensionSetLines*, purchaseInvoiceLines*, pdfDocument, attachments*, documentAttachments*',
    actions: 'post',
  },
  salesOrderLines: lines(
    'salesOrder',
    'unitPrice D, invoiceDiscountAllocation D, shipmentDate d, shippedQuantity D, invoicedQuantity D, invoiceQuantity D, shipQuantity D',
  ),
  salesInvoiceLines: lines('salesInvoice', 'unitPrice D, invoiceDiscountAllocation D, shipmentDate d'),
  salesQuoteLines: lines('salesQuote', 'unitPrice D'),
  salesCreditMemoLines: lines('salesCreditMemo', 'unitPrice D, invoiceDiscountAllocation D, shipmentDate d'),
  purchaseInvoiceLines: lines('purchaseInvoice', 'unitCost D, invoiceDiscountAllocation D, expectedReceiptDate d'),
};

/** Members in order; the blank one is a single space. */
export const ENUMS: Readonly<Record<string, readonly string[]>> = {
  glAccountCategory: [' ', 'Assets', 'Liabilities', 'Equity', 'Income', 'Cost of Goods Sold', 'Expense'],
  glAccountType: ['Posting', 'Heading', 'Total', 'Begin Total', 'End Total'],
  contactType: ['Company', 'Person'],
  customerBlocked: [' ', 'Ship', 'Invoice', 'All'],
  vendorBlocked: [' ', 'Payment', 'All'],
  itemType: ['Inventory', 'Service', 'Non-Inventory'],
  employeeStatus: ['Active', 'Inactive', 'Terminated'],
  genJournalDocumentType: [' ', 'Payment', 'Invoice', 'Credit Memo', 'Finance Charge Memo', 'Reminder', 'Refund'],
  genJournalAccountType: ['G/L Account', 'Customer', 'Vendor', 'Bank Account', 'Fixed Asset', 'IC Partner', 'Employee'],
  invoiceEntityAggregateStatus: [' ', 'Draft', 'In Review', 'Open', 'Paid', 'Canceled', 'Corrective'],
  salesOrderEntityBufferStatus: ['Draft', 'In Review', 'Open'],
  salesQuoteEntityBufferStatus: ['Draft', 'Sent', 'Accepted', 'Expired'],
  salesCrMemoEntityBufferStatus: ['Draft', 'In Review', 'Open', 'Canceled', 'Corrective', 'Paid'],
  invoiceLineAggLineType: ['Comment', 'Account', 'Item', 'Resource', 'Fixed Asset', 'Charge'],
};

const POSTAL = 'street, city, state, countryLetterCode, postalCode';

/** v1.0: complex properties that replace flat fields; `instead` matches the replaced fields by the start of their names or in full. */
export const OBJECTS: Readonly<Record<string, readonly { name: string; parts: string; instead: RegExp }[]>> = {
  customers: [{ name: 'address', parts: POSTAL, instead: /^(addressLine[12]|city|state|country|postalCode)$/ }],
  vendors: [{ name: 'address', parts: POSTAL, instead: /^(addressLine[12]|city|state|country|postalCode)$/ }],
  employees: [{ name: 'address', parts: POSTAL, instead: /^(addressLine[12]|city|state|country|postalCode)$/ }],
  companyInformation: [
    { name: 'address', parts: POSTAL, instead: /^(addressLine[12]|city|state|country|postalCode)$/ },
  ],
  items: [
    {
      name: 'baseUnitOfMeasure',
      parts: 'unitCode, unitName, symbol, unitConversion',
      instead: /^baseUnitOfMeasureCode$/,
    },
  ],
  ...Object.fromEntries(
    ['salesOrders', 'salesInvoices', 'salesQuotes', 'salesCreditMemos'].map((set) => [
      set,
      [
        { name: 'sellingPostalAddress', parts: POSTAL, instead: /^sellTo/ },
        { name: 'billingPostalAddress', parts: POSTAL, instead: /^billTo(Address|City|Country|State|PostCode)/ },
        ...(set === 'salesCreditMemos'
          ? []
          : [
              { name: 'shippingPostalAddress', parts: POSTAL, instead: /^shipTo(Address|City|Country|State|PostCode)/ },
            ]),
      ],
    ]),
  ),
  purchaseInvoices: [
    { name: 'buyFromAddress', parts: POSTAL, instead: /^buyFrom/ },
    { name: 'payToAddress', parts: POSTAL, instead: /^payTo(Address|City|Country|State|PostCode)/ },
    { name: 'shipToAddress', parts: POSTAL, instead: /^shipTo(Address|City|Country|State|PostCode)/ },
  ],
  ...Object.fromEntries(
    ['salesOrderLines', 'salesInvoiceLines', 'salesQuoteLines', 'salesCreditMemoLines', 'purchaseInvoiceLines'].map(
      (set) => [
        set,
        [
          { name: 'lineDetails', parts: 'number, displayName', instead: /^lineObjectNumber$/ },
          { name: 'unitOfMeasure', parts: 'code, displayName, symbol', instead: /^unitOfMeasureCode$/ },
        ],
      ],
    ),
  ),
};
