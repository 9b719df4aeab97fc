import type { Operation } from '../operation.ts';
import {
  createConfiguration,
  deleteConfiguration,
  disableConfiguration,
  enableConfiguration,
  getConfiguration,
  listConfigurations,
  updateConfiguration,
} from './handlers.ts';

const ALL = '/apps/{owner_name}/{app_name}/export_configurations';
const ONE = `${ALL}/{export_configuration_id}`;

export const EXPORT_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: ALL,
    operation: 'exportConfigurations_list',
    summary: 'Where the data of the app is exported to, without secrets',
    needs: 'appRead',
    code: listConfigurations,
  },
  {
    method: 'POST',
    path: ALL,
    operation: 'exportConfigurations_create',
    summary: 'Has the data of the app exported, from the past month on unless told otherwise',
    needs: 'appManage',
    code: createConfiguration,
  },
  {
    method: 'GET',
    path: ONE,
    operation: 'exportConfigurations_get',
    summary: 'An export configuration and the state that it is in, without secrets',
    needs: 'appRead',
    code: getConfiguration,
  },
  {
    method: 'PATCH',
    path: ONE,
    operation: 'exportConfigurations_partialUpdate',
    summary: 'Changes what is exported and where to, from now on',
    needs: 'appManage',
    code: updateConfiguration,
  },
  {
    method: 'DELETE',
    path: ONE,
    operation: 'exportConfigurations_delete',
    summary: 'Ends an export; what was written stays where it is',
    needs: 'appManage',
    code: deleteConfiguration,
  },
  {
    method: 'POST',
    path: `${ONE}/enable`,
    operation: 'exportConfigurations_enable',
    summary: 'Goes on with an export, and catches up on what it has missed',
    needs: 'appManage',
    code: enableConfiguration,
  },
  {
    method: 'POST',
    path: `${ONE}/disable`,
    operation: 'exportConfigurations_disable',
    summary: 'Stops an export for the time being',
    needs: 'appManage',
    code: disableConfiguration,
  },
];
