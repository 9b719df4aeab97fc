import type { Operation } from '../operation.ts';
import { listParameters } from './list.ts';
import { updateParameters } from './update.ts';

export const PARAMETER_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/datasets/{dataset}/parameters',
    operation: 'GetParameters',
    summary: 'The parameters of a dataset',
    needs: 'datasetRead',
    code: listParameters,
  },
  {
    method: 'POST',
    path: '/datasets/{dataset}/Default.UpdateParameters',
    operation: 'UpdateParameters',
    summary: 'Changes the values of parameters of a dataset',
    needs: 'datasetOwn',
    code: updateParameters,
  },
];
