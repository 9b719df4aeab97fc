import { errorTable } from '../../../kernel/http/index.ts';

export const exportErrors = errorTable({
  InvalidExportTemplateOption: [400, "The option '{option}' is not one of {options}."],
  ExportTemplateFormatNotSupported: [
    400,
    "The output format '{format}' is not supported: this jar exports templates as Json.",
  ],
  ExportTemplateTooManyResources: [
    400,
    "There are {count} resources to export, and a template has at most {maximum}; name some of them in 'resources'.",
  ],
  ResourceToExportNotFound: [404, "The resource '{id}' could not be found in the resource group '{group}'."],

  // reported inside a successful answer
  ExportTemplateCompletedWithErrors: [
    200,
    'Export template operation completed with errors. Some resources were not exported. Please see details for more information.',
  ],
  ResourceTypeNotSupportedForExport: [200, "The resource '{name}' of the type '{type}' cannot be exported."],
});
