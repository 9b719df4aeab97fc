import { jobQueueStatus } from '../enums.ts';
import {
  boolean,
  code,
  date,
  dateTime,
  guid,
  initially,
  int32,
  internal,
  named,
  option,
  readOnly,
  stream,
  text,
} from '../notation.ts';
import { ADDRESS } from './blocks.ts';

/** The company itself, and tables of the tenant. */
export const COMPANY_TABLES = named({
  company: {
    number: 2000000006,
    caption: 'Company',
    scope: 'tenant',
    key: 'name',
    fields: {
      systemVersion: readOnly(text(250)),
      name: text(30),
      displayName: text(250),
      businessProfileId: text(250),
      /** Prefix of the keys of the company's records. */
      storageKey: internal(text(40)),
    },
    slots: { name: 't1', displayName: 't2' },
  },
  subscription: {
    number: 2000000094,
    caption: 'Webhook Subscription',
    scope: 'tenant',
    key: 'subscriptionId',
    fields: {
      subscriptionId: readOnly(text(150)),
      notificationUrl: text(),
      resource: text(),
      userId: readOnly(guid),
      clientState: text(2048),
      expirationDateTime: readOnly(dateTime),
    },
    slots: {
      subscriptionId: 't1',
      resource: 't2',
      notificationUrl: 't3',
      userId: 't4',
      clientState: 't5',
      expirationDateTime: 'n1',
    },
  },
  companyInformation: {
    number: 79,
    caption: 'Company Information',
    fields: {
      displayName: text(100),
      ...ADDRESS,
      phoneNumber: text(30),
      faxNumber: text(30),
      email: text(80),
      website: text(80),
      taxRegistrationNumber: text(20),
      currencyCode: readOnly(code(10)),
      currentFiscalYearStartDate: readOnly(date),
      industry: text(30),
      experience: readOnly(text()),
      picture: stream,
    },
    slots: { displayName: 't1' },
  },
  numberSeries: {
    number: 308,
    caption: 'No. Series',
    key: 'code',
    fields: {
      code: code(20),
      displayName: text(100),
      startingNumber: code(20),
      lastNumberUsed: code(20),
      increment: initially(1, int32),
    },
    slots: { code: 't1', displayName: 't2' },
  },
  /** Custom APIs may show it; it sends no notifications. */
  jobQueueEntry: {
    number: 472,
    caption: 'Job Queue Entry',
    fields: {
      description: text(250),
      objectIdToRun: int32,
      status: option(jobQueueStatus),
      earliestStartDateTime: dateTime,
      recurringJob: boolean,
      userId: text(65),
    },
    slots: { status: 't1', description: 't2', earliestStartDateTime: 'n2' },
  },
});
