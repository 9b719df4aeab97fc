import { type Ask, good } from '../support.ts';

export const PIPELINES = '/pipelines';

/** Writes a notebook of the workspace. */
export const notebook = (ask: Ask, path: string, source: string) =>
  good(
    ask('POST', '/workspace/import', {
      path,
      format: 'SOURCE',
      language: 'PYTHON',
      overwrite: true,
      content: Buffer.from(`# Databricks notebook source\n${source}\n`).toString('base64'),
    }),
  );

export const ORDERS = '/Shared/orders';

/** The settings of a pipeline with one notebook. */
export const settings = (name: string, more: object = {}) => ({
  name,
  libraries: [{ notebook: { path: ORDERS } }],
  ...more,
});

/** A pipeline whose sources have the effect of the script. */
export const scripted = (name: string, script: string, more: object = {}) => ({
  name,
  development: true,
  configuration: { cloudjar: script },
  ...more,
});

export const createPipeline = async (ask: Ask, body: object): Promise<string> =>
  (await good(ask('POST', PIPELINES, body))).pipeline_id;

export const startUpdate = async (ask: Ask, id: string, body: object = {}): Promise<string> =>
  (await good(ask('POST', `${PIPELINES}/${id}/updates`, body))).update_id;

export const getPipeline = (ask: Ask, id: string) => good(ask('GET', `${PIPELINES}/${id}`));

export const getUpdate = async (ask: Ask, id: string, update: string) =>
  (await good(ask('GET', `${PIPELINES}/${id}/updates/${update}`))).update;

/** Newest first. */
export const updatesOf = async (ask: Ask, id: string) =>
  (await good(ask('GET', `${PIPELINES}/${id}/updates`))).updates as {
    update_id: string;
    state: string;
    cause: string;
  }[];
