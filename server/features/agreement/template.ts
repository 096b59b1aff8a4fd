import { markedNpi } from '#contract/practice/provisional-npi.ts';

/** The business associate agreement as data: the parties come from the office, the text from the version. */

export interface Parties {
  coveredEntity: { name: string; address: string; npi: string };
  businessAssociate: string;
  product: string;
}

/** The NPI as the agreement names it. A provisional one is no identification, so the agreement says that it is provisional. */
export const shownNpi = ({ npi }: Parties['coveredEntity']): string => markedNpi(npi, 'provisional');

export interface Clause {
  /** `1.2`, or `(a)` inside a section. */
  mark: string;
  text: string;
  /** The part of 45 CFR 164.504(e)(2) it covers, for the test that none is missing. */
  carries?: string;
}
export interface Section {
  heading: string;
  clauses: readonly Clause[];
}
export interface AgreementText {
  version: string;
  title: string;
  opening: readonly string[];
  sections: readonly Section[];
  closing: string;
}

/** The version signed today. Older ones stay in the list: a signed agreement names its version. */
export const currentVersion = '2026-03';

/** The text of a version with the parties filled in. */
export function agreementText(version: string, parties: Parties): AgreementText {
  const write = versions[version];
  if (!write) throw new Error(`there is no agreement text ${version}`);
  return write(parties);
}

const versions: Record<string, (parties: Parties) => AgreementText> = { '2026-03': text202603 };

const sections202603: readonly Section[] = [
  {
    heading: '1. Definitions',
    clauses: [
      {
        mark: '1.1',
        text: 'Terms used but not defined here have the meaning the HIPAA Rules give them, among them breach, data aggregation, designated record set, disclosure, health care operations, individual, minimum necessary, required by law, Secretary, security incident, subcontractor, unsecured protected health information, and use.',
      },
      {
        mark: '1.2',
        text: '“PHI” means protected health information, in any form, that Business Associate creates, receives, maintains or transmits on behalf of Covered Entity; “ePHI” is PHI in electronic form.',
      },
    ],
  },
  {
    heading: '2. Permitted and required uses and disclosures',
    clauses: [
      {
        mark: '2.1',
        carries: '(e)(2)(i)',
        text: 'Business Associate may use and disclose PHI only as needed to provide the Services to Covered Entity, as this Agreement permits or requires, or as required by law. It may not use or further disclose PHI in a way that would violate Subpart E of 45 CFR Part 164 if Covered Entity did so, except as 2.2 and 2.3 permit.',
      },
      {
        mark: '2.2',
        carries: '(e)(2)(i)(A)',
        text: 'Business Associate may use PHI for its own proper management and administration and to carry out its legal responsibilities. It may disclose PHI for these purposes only if the disclosure is required by law, or if it obtains reasonable assurances from the person to whom the PHI is disclosed that it will be held confidentially, used or further disclosed only as required by law or for the purpose for which it was disclosed, and that the person will notify Business Associate of any breach of confidentiality of which it becomes aware (45 CFR 164.504(e)(4)).',
      },
      {
        mark: '2.3',
        carries: '(e)(2)(i)(B)',
        text: 'Business Associate may provide data aggregation services relating to the health care operations of Covered Entity, when Covered Entity asks for them in writing.',
      },
      {
        mark: '2.4',
        text: 'Business Associate limits its uses, disclosures and requests to the minimum necessary. It does not sell PHI, does not use it for marketing, and does not de-identify it for purposes of its own unless Covered Entity agrees in writing.',
      },
    ],
  },
  {
    heading: '3. Obligations of Business Associate',
    clauses: [
      {
        mark: '3.1',
        carries: '(e)(2)(ii)(A)',
        text: 'Business Associate will not use or further disclose PHI other than as this Agreement permits or requires, or as required by law.',
      },
      {
        mark: '3.2',
        carries: '(e)(2)(ii)(B)',
        text: 'Business Associate will use appropriate safeguards and comply, where applicable, with Subpart C of 45 CFR Part 164 (the Security Rule) with respect to ePHI, to prevent use or disclosure of PHI other than as this Agreement provides for.',
      },
      {
        mark: '3.3',
        carries: '(e)(2)(ii)(C)',
        text: 'Business Associate will report to Covered Entity any use or disclosure of PHI not provided for by this Agreement of which it becomes aware, any security incident of which it becomes aware, and any breach of unsecured PHI as 45 CFR 164.410 requires, without unreasonable delay and in no case later than ten (10) calendar days after discovery. The report names, as far as known, each individual concerned, what happened and when, the PHI involved, and what was done about it. Attempts that did not succeed, such as pings and port scans, are hereby reported in general and need no further report.',
      },
      {
        mark: '3.4',
        carries: '(e)(2)(ii)(D)',
        text: 'In accordance with 45 CFR 164.502(e)(1)(ii) and 164.308(b)(2), Business Associate will ensure that any subcontractors that create, receive, maintain or transmit PHI on its behalf agree in writing to the same restrictions, conditions and requirements that apply to Business Associate with respect to that PHI.',
      },
      {
        mark: '3.5',
        carries: '(e)(2)(ii)(E)',
        text: 'Within ten (10) days of a request, Business Associate will make PHI in a designated record set available to Covered Entity or, as directed, to the individual, as needed to satisfy 45 CFR 164.524 (access).',
      },
      {
        mark: '3.6',
        carries: '(e)(2)(ii)(F)',
        text: 'Within ten (10) days of a request, Business Associate will make PHI in a designated record set available for amendment and incorporate any amendment that Covered Entity directs or agrees to under 45 CFR 164.526.',
      },
      {
        mark: '3.7',
        carries: '(e)(2)(ii)(G)',
        text: 'Business Associate will document disclosures of PHI and, within ten (10) days of a request, make available the information required to provide an accounting of disclosures under 45 CFR 164.528.',
      },
      {
        mark: '3.8',
        carries: '(e)(2)(ii)(H)',
        text: 'To the extent Business Associate is to carry out an obligation of Covered Entity under Subpart E of 45 CFR Part 164, it will comply with the requirements of Subpart E that apply to Covered Entity in the performance of that obligation.',
      },
      {
        mark: '3.9',
        carries: '(e)(2)(ii)(I)',
        text: 'Business Associate will make its internal practices, books and records relating to the use and disclosure of PHI available to the Secretary of Health and Human Services for determining Covered Entity’s compliance with Subpart E of 45 CFR Part 164.',
      },
    ],
  },
  {
    heading: '4. Obligations of Covered Entity',
    clauses: [
      {
        mark: '4.1',
        text: 'Covered Entity will tell Business Associate of limitations in its notice of privacy practices, of changes in or revocation of an individual’s permission, and of restrictions it has agreed to, as far as they may affect Business Associate’s use or disclosure of PHI.',
      },
      {
        mark: '4.2',
        text: 'Covered Entity will not ask Business Associate to use or disclose PHI in a way that the HIPAA Rules would not permit Covered Entity, and remains responsible for who of its staff may sign in to the Services.',
      },
    ],
  },
  {
    heading: '5. Term and termination',
    clauses: [
      {
        mark: '5.1',
        text: 'This Agreement lasts as long as Business Associate provides the Services or holds PHI.',
      },
      {
        mark: '5.2',
        carries: '(e)(2)(iii)',
        text: 'Covered Entity may terminate this Agreement and the Services if it determines that Business Associate has violated a material term of this Agreement, and may first give it an opportunity to cure the violation within a time that Covered Entity sets.',
      },
      {
        mark: '5.3',
        carries: '(e)(2)(ii)(J)',
        text: 'At termination, if feasible, Business Associate will return or destroy all PHI that it still maintains in any form, its subcontractors included, and keep no copies. Where return or destruction is not feasible, it will extend the protections of this Agreement to that PHI and limit further uses and disclosures to the purposes that make return or destruction infeasible.',
      },
    ],
  },
  {
    heading: '6. General',
    clauses: [
      {
        mark: '6.1',
        text: 'References to a section of the HIPAA Rules mean the section as in effect or as amended. The parties will amend this Agreement as needed to stay in compliance; ambiguities are resolved in favor of a meaning that permits compliance.',
      },
      {
        mark: '6.2',
        text: 'Where this Agreement and another agreement between the parties conflict with respect to PHI, this Agreement prevails. It gives no rights to anyone but the parties. Sections 3.5 to 3.9 and 5.3 survive termination.',
      },
      {
        mark: '6.3',
        text: 'The parties agree to sign electronically. An electronic signature and a copy of the signed document have the same effect as the original, under the ESIGN Act (15 U.S.C. 7001 and following).',
      },
    ],
  },
];

function text202603({ coveredEntity, businessAssociate, product }: Parties): AgreementText {
  return {
    version: '2026-03',
    title: 'Business Associate Agreement',
    opening: [
      `This Business Associate Agreement (the “Agreement”) is entered into between ${coveredEntity.name}, NPI ${shownNpi(coveredEntity)}, ${coveredEntity.address} (“Covered Entity”), and ${businessAssociate} (“Business Associate”), and takes effect when Covered Entity signs it.`,
      `Business Associate provides Covered Entity with ${product}, software for the arrival, registration and messaging of patients (the “Services”). In doing so it creates, receives, maintains or transmits protected health information on behalf of Covered Entity. The parties enter into this Agreement to meet the requirements of the Health Insurance Portability and Accountability Act of 1996 (HIPAA), the HITECH Act, and their implementing regulations at 45 CFR Parts 160 and 164, including 45 CFR 164.502(e), 164.504(e), 164.308(b) and 164.314(a) (the “HIPAA Rules”).`,
    ],
    sections: sections202603,
    closing:
      'The person who signs below states that they are authorized to bind Covered Entity. Business Associate is bound by making this document available for signature.',
  };
}
