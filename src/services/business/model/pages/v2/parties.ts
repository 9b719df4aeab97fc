import type { Page } from '../../types.ts';
import {
  contactsInformation,
  defaultDimensions,
  dimensionSetLines,
  documentAttachments,
  many,
  one,
  page,
  property,
  READ_VERBS,
  twin,
} from '../notation.ts';

export const PARTY_PAGES: readonly Page[] = [
  page('customers', 'customer', {
    navigations: [
      one('currency', 'currencies', 'currencyId'),
      one('paymentTerm', 'paymentTerms', 'paymentTermsId'),
      one('shipmentMethod', 'shipmentMethods', 'shipmentMethodId'),
      one('paymentMethod', 'paymentMethods', 'paymentMethodId'),
      twin('customerFinancialDetail', 'customerFinancialDetails'),
      twin('picture', 'pictures'),
      defaultDimensions('Customer'),
      twin('agedAccountsReceivable', 'agedAccountsReceivables'),
      contactsInformation('Customer'),
      documentAttachments('Customer'),
    ],
  }),
  page('vendors', 'vendor', {
    navigations: [
      one('currency', 'currencies', 'currencyId'),
      one('paymentTerm', 'paymentTerms', 'paymentTermsId'),
      one('paymentMethod', 'paymentMethods', 'paymentMethodId'),
      twin('picture', 'pictures'),
      defaultDimensions('Vendor'),
      twin('agedAccountsPayable', 'agedAccountsPayables'),
      contactsInformation('Vendor'),
      documentAttachments('Vendor'),
    ],
  }),
  page('employees', 'employee', {
    navigations: [
      twin('picture', 'pictures'),
      defaultDimensions('Employee'),
      many('timeRegistrationEntries', 'employeeId'),
      documentAttachments('Employee'),
    ],
  }),
  page('timeRegistrationEntries', 'timeRegistrationEntry', {
    navigations: [
      one('employee', 'employees', 'employeeId'),
      dimensionSetLines('Time Registration Entry'),
      one('unitOfMeasure', 'unitsOfMeasure', 'unitOfMeasureId'),
    ],
  }),
  page('contactsInformation', 'contactInformation', {
    verbs: READ_VERBS,
    properties: [
      property('contactId', 'id'),
      property('contactNumber'),
      property('contactName'),
      property('contactType'),
      property('relatedId'),
      property('relatedType'),
    ],
  }),
];
