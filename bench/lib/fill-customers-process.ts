// Fills a jar's database with customers, in its own process, so that the memory for a million of them is released with it.

import { records } from '../../src/services/business/records/collection.ts';
import { fillSqliteCustomers, plainRecords } from './customers.ts';

const [file = '', count = '0', list = '', into = ''] = process.argv.slice(2);

fillSqliteCustomers(file, Number(count), { list, into: into === 'plain' ? plainRecords : records });
