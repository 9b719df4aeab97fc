// Fills a jar's database with customers, in a process of its own: what a million of them take of memory is gone with it.

import { records } from '../../src/services/business/records/collection.ts';
import { fillSqliteCustomers, plainRecords } from './customers.ts';

const [file = '', count = '0', list = '', into = ''] = process.argv.slice(2);

fillSqliteCustomers(file, Number(count), { list, into: into === 'plain' ? plainRecords : records });
