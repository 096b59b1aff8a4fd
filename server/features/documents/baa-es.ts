import type { DocumentText } from './document-text.ts';

/** The version of the agreement that this is a translation of. */
export const translatedVersion = '2026-03';

/** The business associate agreement in Spanish, for reading only: the English text is the one that is signed. */
export const baaInSpanish: DocumentText = {
  title: 'Acuerdo de Asociado Comercial',
  intro: [
    'Traducción para su información: lo que se firma es el texto en inglés.',
    'Este Acuerdo de Asociado Comercial (el «Acuerdo») se celebra entre [nombre del consultorio], NPI [NPI], [dirección] (la «Entidad Cubierta») y {operator} (el «Asociado Comercial»), y entra en vigor cuando la Entidad Cubierta lo firma.',
    'El Asociado Comercial proporciona a la Entidad Cubierta {product}, un programa para la llegada, el registro y la mensajería de los pacientes (los «Servicios»). Al hacerlo crea, recibe, mantiene o transmite información médica protegida por cuenta de la Entidad Cubierta. Las partes celebran este Acuerdo para cumplir los requisitos de la Ley de Portabilidad y Responsabilidad de los Seguros Médicos de 1996 (HIPAA), la Ley HITECH y sus reglamentos de aplicación en 45 CFR, partes 160 y 164, incluidos 45 CFR 164.502(e), 164.504(e), 164.308(b) y 164.314(a) (las «Reglas HIPAA»).',
  ],
  sections: [
    {
      heading: '1. Definiciones',
      paragraphs: [],
      clauses: [
        {
          mark: '1.1',
          text: 'Los términos que se usan y no se definen aquí tienen el significado que les dan las Reglas HIPAA, entre ellos violación de la seguridad, agregación de datos, conjunto de registros designado, divulgación, operaciones de atención médica, individuo, mínimo necesario, exigido por la ley, Secretario, incidente de seguridad, subcontratista, información médica protegida no asegurada y uso.',
        },
        {
          mark: '1.2',
          text: '«PHI» significa la información médica protegida, en cualquier forma, que el Asociado Comercial crea, recibe, mantiene o transmite por cuenta de la Entidad Cubierta; «ePHI» es la PHI en forma electrónica.',
        },
      ],
    },
    {
      heading: '2. Usos y divulgaciones permitidos y exigidos',
      paragraphs: [],
      clauses: [
        {
          mark: '2.1',
          text: 'El Asociado Comercial puede usar y divulgar la PHI solo en la medida necesaria para prestar los Servicios a la Entidad Cubierta, en lo que este Acuerdo permite o exige, o en lo que exige la ley. No puede usarla ni divulgarla de un modo que infringiría la subparte E de 45 CFR, parte 164, si lo hiciera la Entidad Cubierta, salvo lo que permiten 2.2 y 2.3.',
        },
        {
          mark: '2.2',
          text: 'El Asociado Comercial puede usar la PHI para su propia gestión y administración adecuadas y para cumplir sus responsabilidades legales. Puede divulgarla con estos fines solo si la divulgación es exigida por la ley, o si obtiene de la persona a quien se divulga garantías razonables de que se mantendrá confidencial, de que se usará o divulgará de nuevo solo como lo exija la ley o para el fin para el que se le divulgó, y de que esa persona le notificará toda violación de la confidencialidad de la que tenga conocimiento (45 CFR 164.504(e)(4)).',
        },
        {
          mark: '2.3',
          text: 'El Asociado Comercial puede prestar servicios de agregación de datos relativos a las operaciones de atención médica de la Entidad Cubierta cuando esta lo pida por escrito.',
        },
        {
          mark: '2.4',
          text: 'El Asociado Comercial limita sus usos, divulgaciones y solicitudes al mínimo necesario. No vende la PHI, no la usa para mercadotecnia y no la desidentifica para fines propios salvo que la Entidad Cubierta lo acepte por escrito.',
        },
      ],
    },
    {
      heading: '3. Obligaciones del Asociado Comercial',
      paragraphs: [],
      clauses: [
        {
          mark: '3.1',
          text: 'El Asociado Comercial no usará ni divulgará la PHI de otro modo que el que este Acuerdo permite o exige, o el que exige la ley.',
        },
        {
          mark: '3.2',
          text: 'El Asociado Comercial usará las salvaguardas adecuadas y cumplirá, donde corresponda, la subparte C de 45 CFR, parte 164 (la Regla de Seguridad) respecto de la ePHI, para impedir usos o divulgaciones de la PHI que este Acuerdo no prevé.',
        },
        {
          mark: '3.3',
          text: 'El Asociado Comercial informará a la Entidad Cubierta de todo uso o divulgación de la PHI no previsto en este Acuerdo del que tenga conocimiento, de todo incidente de seguridad del que tenga conocimiento y de toda violación de la seguridad de PHI no asegurada, como exige 45 CFR 164.410, sin demora injustificada y en ningún caso más tarde de diez (10) días naturales después de descubrirlo. El informe indica, en lo que se sepa, cada individuo afectado, qué ocurrió y cuándo, la PHI implicada y qué se hizo al respecto. Los intentos sin éxito, como los pings y los escaneos de puertos, quedan informados aquí de manera general y no requieren otro informe.',
        },
        {
          mark: '3.4',
          text: 'De acuerdo con 45 CFR 164.502(e)(1)(ii) y 164.308(b)(2), el Asociado Comercial se asegurará de que todo subcontratista que cree, reciba, mantenga o transmita PHI por su cuenta acepte por escrito las mismas restricciones, condiciones y requisitos que rigen para el Asociado Comercial respecto de esa PHI.',
        },
        {
          mark: '3.5',
          text: 'Dentro de los diez (10) días siguientes a una solicitud, el Asociado Comercial pondrá la PHI de un conjunto de registros designado a disposición de la Entidad Cubierta o, según se le indique, del individuo, como sea necesario para cumplir 45 CFR 164.524 (acceso).',
        },
        {
          mark: '3.6',
          text: 'Dentro de los diez (10) días siguientes a una solicitud, el Asociado Comercial pondrá la PHI de un conjunto de registros designado a disposición para su enmienda e incorporará toda enmienda que la Entidad Cubierta ordene o acepte según 45 CFR 164.526.',
        },
        {
          mark: '3.7',
          text: 'El Asociado Comercial documentará las divulgaciones de la PHI y, dentro de los diez (10) días siguientes a una solicitud, facilitará la información necesaria para rendir cuentas de las divulgaciones según 45 CFR 164.528.',
        },
        {
          mark: '3.8',
          text: 'En la medida en que el Asociado Comercial deba cumplir una obligación de la Entidad Cubierta según la subparte E de 45 CFR, parte 164, cumplirá los requisitos de la subparte E que rigen para la Entidad Cubierta en el cumplimiento de esa obligación.',
        },
        {
          mark: '3.9',
          text: 'El Asociado Comercial pondrá sus prácticas internas, libros y registros relativos al uso y la divulgación de la PHI a disposición del Secretario de Salud y Servicios Humanos para determinar si la Entidad Cubierta cumple la subparte E de 45 CFR, parte 164.',
        },
      ],
    },
    {
      heading: '4. Obligaciones de la Entidad Cubierta',
      paragraphs: [],
      clauses: [
        {
          mark: '4.1',
          text: 'La Entidad Cubierta comunicará al Asociado Comercial las limitaciones de su aviso de prácticas de privacidad, los cambios o la revocación del permiso de un individuo y las restricciones que haya aceptado, en la medida en que puedan afectar el uso o la divulgación de la PHI por el Asociado Comercial.',
        },
        {
          mark: '4.2',
          text: 'La Entidad Cubierta no pedirá al Asociado Comercial que use o divulgue la PHI de un modo que las Reglas HIPAA no permitirían a la Entidad Cubierta, y sigue siendo responsable de quién de su personal puede entrar en los Servicios.',
        },
      ],
    },
    {
      heading: '5. Duración y terminación',
      paragraphs: [],
      clauses: [
        {
          mark: '5.1',
          text: 'Este Acuerdo dura mientras el Asociado Comercial preste los Servicios o conserve PHI.',
        },
        {
          mark: '5.2',
          text: 'La Entidad Cubierta puede terminar este Acuerdo y los Servicios si determina que el Asociado Comercial ha infringido una condición esencial de este Acuerdo, y puede darle antes la oportunidad de remediar la infracción en el plazo que la Entidad Cubierta fije.',
        },
        {
          mark: '5.3',
          text: 'Al terminar, si es factible, el Asociado Comercial devolverá o destruirá toda la PHI que aún conserve en cualquier forma, incluidos sus subcontratistas, y no guardará copias. Donde la devolución o la destrucción no sea factible, extenderá las protecciones de este Acuerdo a esa PHI y limitará los usos y divulgaciones posteriores a los fines que impiden devolverla o destruirla.',
        },
      ],
    },
    {
      heading: '6. Disposiciones generales',
      paragraphs: [],
      clauses: [
        {
          mark: '6.1',
          text: 'Las referencias a una sección de las Reglas HIPAA significan la sección vigente o modificada. Las partes modificarán este Acuerdo según sea necesario para seguir cumpliendo; las ambigüedades se resuelven a favor de un significado que permita cumplir.',
        },
        {
          mark: '6.2',
          text: 'Donde este Acuerdo y otro acuerdo entre las partes se contradigan respecto de la PHI, prevalece este Acuerdo. No da derechos a nadie más que a las partes. Las secciones 3.5 a 3.9 y 5.3 subsisten tras la terminación.',
        },
        {
          mark: '6.3',
          text: 'Las partes acuerdan firmar electrónicamente. Una firma electrónica y una copia del documento firmado tienen el mismo efecto que el original, según la Ley ESIGN (15 U.S.C. 7001 y siguientes).',
        },
      ],
    },
    {
      heading: 'Firma',
      paragraphs: [
        'La persona que firma declara que está autorizada para obligar a la Entidad Cubierta. El Asociado Comercial queda obligado al poner este documento a disposición para la firma.',
      ],
    },
  ],
};
