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
    summary: 'The export configurations of the app, without secrets',
    needs: 'appRead',
    code: listConfigurations,
  },
  {
    method: 'POST',
    path: ALL,
    operation: 'exportConfigurations_create',
    summary: 'Creates an export configuration; by default it also exports the past month',
    needs: 'appManage',
    code: createConfiguration,
  },
  {
    method: 'GET',
    path: ONE,
    operation: 'exportConfigurations_get',
    summary: 'An export configuration and its state, without secrets',
    needs: 'appRead',
    code: getConfiguration,
  },
  {
    method: 'PATCH',
    path: ONE,
    operation: 'exportConfigurations_partialUpdate',
    summary: 'Changes an export configuration; applies from now on',
    needs: 'appManage',
    code: updateConfiguration,
  },
  {
    method: 'DELETE',
    path: ONE,
    operation: 'exportConfigurations_delete',
    summary: 'Deletes an export configuration; exported data is kept',
    needs: 'appManage',
    code: deleteConfiguration,
  },
  {
    method: 'POST',
    path: `${ONE}/enable`,
    operation: 'exportConfigurations_enable',
    summary: 'Enables an export, and catches up on missed data',
    needs: 'appManage',
    code: enableConfiguration,
  },
  {
    method: 'POST',
    path: `${ONE}/disable`,
    operation: 'exportConfigurations_disable',
    summary: 'Disables an export',
    needs: 'appManage',
    code: disableConfiguration,
  },
];
