const sdc = 'http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-';

/** The extensions by which a questionnaire says what its answers become. */
export const extractionUrls = {
  observation: `${sdc}observationExtract`,
  observationCategory: `${sdc}observation-extract-category`,
  definition: `${sdc}definitionExtract`,
  definitionValue: `${sdc}definitionExtractValue`,
  /** How version 3 of the guide begins a resource. */
  itemContext: `${sdc}itemExtractionContext`,
  template: `${sdc}templateExtract`,
  templateBundle: `${sdc}templateExtractBundle`,
  templateContext: `${sdc}templateExtractContext`,
  templateValue: `${sdc}templateExtractValue`,
  allocateId: `${sdc}extractAllocateId`,
} as const;
