import type { NeedName, Operation } from '../operation.ts';
import { listCustomProperties, listDeviceProperties, listDevicePropertyValues } from './audience-metadata.ts';
import {
  audienceNameExists,
  createOrUpdateAudience,
  deleteAudience,
  getAudience,
  listAudiences,
  testAudience,
} from './audiences.ts';

const row = (
  method: Operation['method'],
  needs: NeedName,
  path: string,
  name: string,
  summary: string,
  code: Operation['code'],
): Operation => ({
  method,
  path: `/apps/{owner_name}/{app_name}/analytics/audiences${path}`,
  operation: `analytics_${name}`,
  summary,
  needs,
  code,
});

/** Operations on audiences: devices selected by their properties. */
export const AUDIENCE_OPERATIONS: readonly Operation[] = [
  row('GET', 'appRead', '', 'listAudiences', 'The audiences of an app', listAudiences),
  row(
    'POST',
    'appRead',
    '/definition/test',
    'testAudience',
    'Counts the devices that match an audience definition',
    testAudience,
  ),
  row(
    'GET',
    'appRead',
    '/metadata/device_properties',
    'listDeviceProperties',
    'The properties of devices and their types',
    listDeviceProperties,
  ),
  row(
    'GET',
    'appRead',
    '/metadata/device_properties/{property_name}/values',
    'listDevicePropertyValues',
    'The values of a device property',
    listDevicePropertyValues,
  ),
  row(
    'GET',
    'appRead',
    '/metadata/custom_properties',
    'listCustomProperties',
    'The custom properties set by the app and their types',
    listCustomProperties,
  ),
  row('GET', 'appRead', '/{audience_name}', 'getAudience', 'An audience', getAudience),
  row('HEAD', 'appRead', '/{audience_name}', 'audienceNameExists', 'Checks if an audience exists', audienceNameExists),
  row(
    'PUT',
    'appDevelop',
    '/{audience_name}',
    'createOrUpdateAudience',
    'Creates or updates an audience',
    createOrUpdateAudience,
  ),
  row('DELETE', 'appDevelop', '/{audience_name}', 'deleteAudience', 'Deletes an audience', deleteAudience),
];
