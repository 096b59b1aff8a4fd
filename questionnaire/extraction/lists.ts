/**
 * The elements of FHIR R4 that are lists, by type. Its model (the library's `path2Type`) knows the type of an element, not how often it may be
 * there. A type that is missing here cannot be extracted by definition.
 */
const lists: Readonly<Record<string, string>> = {
  Address: 'line',
  Annotation: '',
  Attachment: '',
  CodeableConcept: 'coding',
  Coding: '',
  ContactPoint: '',
  Dosage: 'additionalInstruction doseAndRate',
  HumanName: 'given prefix suffix',
  Identifier: '',
  Period: '',
  Quantity: '',
  Range: '',
  Ratio: '',
  Reference: '',
  Timing: 'event',
  AllergyIntolerance: 'identifier category note reaction reaction.manifestation reaction.note',
  Condition: 'identifier category bodySite stage stage.assessment evidence evidence.code evidence.detail note',
  Consent: 'identifier category performer organization policy verification',
  Coverage: 'identifier payor class costToBeneficiary contract',
  Encounter:
    'identifier statusHistory type serviceType participant participant.type reasonCode reasonReference diagnosis location',
  FamilyMemberHistory:
    'identifier instantiatesCanonical instantiatesUri reasonCode reasonReference note condition condition.note',
  Immunization:
    'identifier performer note reasonCode reasonReference subpotentReason education programEligibility reaction protocolApplied',
  MedicationRequest: 'identifier category supportingInformation reasonCode reasonReference note dosageInstruction',
  MedicationStatement: 'identifier basedOn partOf statusReason derivedFrom reasonCode reasonReference note dosage',
  Observation:
    'identifier basedOn partOf category focus performer interpretation note referenceRange hasMember derivedFrom component component.interpretation component.referenceRange',
  Organization: 'identifier type alias telecom address contact endpoint',
  Patient:
    'identifier name telecom address photo contact contact.relationship contact.telecom communication generalPractitioner link',
  Practitioner: 'identifier name telecom address photo qualification communication',
  Procedure:
    'identifier instantiatesCanonical instantiatesUri basedOn partOf performer reasonCode reasonReference bodySite report complication complicationDetail followUp note focalDevice usedReference usedCode',
  RelatedPerson: 'identifier relationship name telecom address photo communication',
  ServiceRequest:
    'identifier instantiatesCanonical instantiatesUri basedOn replaces category orderDetail performer locationCode locationReference reasonCode reasonReference insurance supportingInfo specimen bodySite note relevantHistory',
  Task: 'identifier basedOn partOf performerType note insurance relevantHistory input output',
};

const everywhere = new Set(['extension', 'modifierExtension', 'contained', 'profile', 'security', 'tag']);

export const isKnownType = (type: string): boolean => Object.hasOwn(lists, type);

/** Whether the element of a type is a list; `path` begins below the type. */
export function isList(type: string, path: string): boolean {
  return everywhere.has(path.split('.').at(-1) ?? '') || (lists[type]?.split(' ').includes(path) ?? false);
}
