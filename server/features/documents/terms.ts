import type { PublishedDocument } from './document-text.ts';

export const terms: PublishedDocument = {
  version: '1',
  since: '2026-11-01',
  texts: {
    en: {
      title: 'Terms of Service',
      intro: [
        'These terms are between the practice that registers with {product} (“you”, “the practice”) and {operator}, which runs this installation (“we”). They say what {product} does for the practice, what each side owes the other, and how it ends.',
        'Whoever registers a practice says by doing so that they may bind it. Patients who check in agree to nothing here: they use {product} as guests of the practice.',
      ],
      sections: [
        {
          heading: '1. What {product} does',
          paragraphs: [
            '{product} lets patients check in without a waiting room: they say on their own phone that they have arrived, fill in the forms the practice asks for, and are called in by a text message. The practice sees who is here, writes to patients, reads their forms and, where it chooses to, asks for payments.',
            '{product} is a tool of the front desk. It gives no medical advice, decides nothing about treatment and is not for emergencies. A message sent through {product} is no substitute for calling 911.',
          ],
        },
        {
          heading: '2. Who may use it',
          paragraphs: [
            'The practice decides who of its staff may sign in and takes their access away when they leave. Every person signs in as themselves: codes and devices are not shared. What is done under a person’s sign-in counts as done by the practice until the practice tells us otherwise.',
            'Data of patients becomes available only after the practice has signed the Business Associate Agreement, which goes before these terms wherever the two differ about patients’ data.',
          ],
        },
        {
          heading: '3. What the practice takes care of',
          paragraphs: ['The practice'],
          list: [
            'gives its own correct name, address and National Provider Identifier, and no other practice’s;',
            'texts only people who gave it their number and expect to hear from it, and obeys a STOP at once (the product does so by itself);',
            'sends no advertising through check-in texts and puts no more about a person’s health in a text than is needed;',
            'keeps the screens its staff work on out of sight of strangers, and its own devices up to date;',
            'keeps its own medical record: {product} holds what passes through the front desk and is not the chart.',
          ],
        },
        {
          heading: '4. What we take care of',
          paragraphs: [
            'We run the installation with reasonable care and skill, keep each practice’s data apart from every other’s, back it up, and repair what fails. We tell the practice beforehand about work that interrupts the service whenever we can. We do not promise that it never fails: phone companies, internet lines and the services named in our privacy notice are not in our hands. Have a way to receive patients when it is down.',
          ],
        },
        {
          heading: '5. Plans and payment',
          paragraphs: [
            'What a plan costs, and for how long a trial is free, is shown before it is chosen. A plan renews at the end of each period until it is cancelled; a cancelled plan runs to the end of the period that is paid. Taxes come on top where the law says so. We tell the practice of a new price at least 30 days before it holds, and the practice may leave before then.',
            'Payments that patients make to the practice are the practice’s own. They are carried by a payment company under that company’s terms; the numbers of cards never reach us.',
          ],
        },
        {
          heading: '6. Whose data it is',
          paragraphs: [
            'What patients and staff put in belongs to the practice and to the patients. We use it only to provide the service, as the Business Associate Agreement and the law allow, and neither sell it nor use it for advertising. The practice can take its data with it at any time while the agreement lasts, and for 30 days after.',
            'The program itself, its name and its texts stay ours or our licensors’. The practice may use them for as long as these terms hold.',
          ],
        },
        {
          heading: '7. What is not allowed',
          paragraphs: ['Nobody may'],
          list: [
            'look at, or try to reach, data of a practice or a person they have no business with;',
            'send unlawful, harassing or deceiving messages;',
            'test the security of the installation without our written consent, or burden it so that others cannot work;',
            'resell the service or pass access to it on.',
          ],
        },
        {
          heading: '8. Responsibility',
          paragraphs: [
            'Each side answers for the harm it causes by breaking these terms. As far as the law allows, neither side owes the other lost profit or other indirect harm, and what either owes in a year is at most what the practice paid for that year, or 100 dollars if it paid nothing. This limit does not hold for harm done on purpose or by gross negligence, for what the practice owes in fees, or for duties under the Business Associate Agreement, which has its own rules.',
          ],
        },
        {
          heading: '9. How it ends',
          paragraphs: [
            'The practice may leave at any time from its settings or by writing to us. We may end the service with 60 days’ notice, or at once when the practice breaks these terms in a way that endangers patients, other practices or the installation. Afterwards we return or destroy patients’ data as the Business Associate Agreement says.',
          ],
        },
        {
          heading: '10. Changes, and the law that holds',
          paragraphs: [
            'We announce a change of these terms by email at least 30 days before it holds; the version and its date stand on every page. A practice that does not agree may leave before then and is bound by the old version until it does. The law of the state where {operator} has its seat applies, with the federal law of the United States. If one sentence turns out not to be valid, the others hold.',
          ],
        },
      ],
    },
    es: {
      title: 'Términos del servicio',
      intro: [
        'Estos términos rigen entre el consultorio que se registra en {product} («usted», «el consultorio») y {operator}, que opera esta instalación («nosotros»). Dicen qué hace {product} por el consultorio, qué debe cada parte a la otra y cómo termina la relación.',
        'Quien registra un consultorio declara con ello que puede obligarlo. Los pacientes que se registran al llegar no aceptan nada aquí: usan {product} como invitados del consultorio.',
      ],
      sections: [
        {
          heading: '1. Qué hace {product}',
          paragraphs: [
            '{product} permite que los pacientes se registren sin pasar por una sala de espera: avisan desde su propio teléfono que han llegado, completan los formularios que el consultorio pide y se les llama con un mensaje de texto. El consultorio ve quién está, escribe a los pacientes, lee sus formularios y, si así lo decide, solicita pagos.',
            '{product} es una herramienta de la recepción. No da consejos médicos, no decide nada sobre el tratamiento y no sirve para emergencias. Un mensaje enviado por {product} no sustituye una llamada al 911.',
          ],
        },
        {
          heading: '2. Quién puede usarlo',
          paragraphs: [
            'El consultorio decide quién de su personal puede entrar y retira el acceso a quien se va. Cada persona entra con su propia identidad: los códigos y los dispositivos no se comparten. Lo que se hace con la sesión de una persona se considera hecho por el consultorio mientras este no nos avise de lo contrario.',
            'Los datos de los pacientes solo están disponibles después de que el consultorio firme el Acuerdo de Asociado Comercial, que prevalece sobre estos términos en todo lo que se refiere a los datos de los pacientes.',
          ],
        },
        {
          heading: '3. De qué se ocupa el consultorio',
          paragraphs: ['El consultorio'],
          list: [
            'indica su propio nombre, dirección e identificador nacional de proveedor (NPI) correctos, y no los de otro;',
            'envía mensajes solo a quienes le dieron su número y esperan saber de él, y respeta un STOP de inmediato (el producto lo hace por sí mismo);',
            'no envía publicidad por los mensajes de registro ni pone en un mensaje más sobre la salud de una persona de lo necesario;',
            'mantiene las pantallas de su personal fuera de la vista de extraños y sus dispositivos al día;',
            'lleva su propio expediente médico: {product} guarda lo que pasa por la recepción y no es el expediente.',
          ],
        },
        {
          heading: '4. De qué nos ocupamos nosotros',
          paragraphs: [
            'Operamos la instalación con cuidado y competencia razonables, mantenemos los datos de cada consultorio separados de los demás, hacemos copias de seguridad y reparamos lo que falla. Avisamos con antelación de los trabajos que interrumpen el servicio siempre que podemos. No prometemos que nunca falle: las compañías telefónicas, las líneas de internet y los servicios que nombra nuestro aviso de privacidad no están en nuestras manos. Tenga una manera de recibir a los pacientes cuando no funcione.',
          ],
        },
        {
          heading: '5. Planes y pago',
          paragraphs: [
            'Lo que cuesta un plan, y cuánto dura la prueba gratuita, se muestra antes de elegirlo. Un plan se renueva al final de cada período hasta que se cancela; un plan cancelado sigue hasta el final del período pagado. Los impuestos se suman donde la ley lo exige. Avisamos de un precio nuevo al menos 30 días antes de que rija, y el consultorio puede irse antes.',
            'Los pagos que los pacientes hacen al consultorio son del consultorio. Los tramita una empresa de pagos según sus propios términos; los números de las tarjetas nunca llegan a nosotros.',
          ],
        },
        {
          heading: '6. De quién son los datos',
          paragraphs: [
            'Lo que introducen los pacientes y el personal pertenece al consultorio y a los pacientes. Lo usamos solo para prestar el servicio, como lo permiten el Acuerdo de Asociado Comercial y la ley, y no lo vendemos ni lo usamos para publicidad. El consultorio puede llevarse sus datos en cualquier momento mientras dure el acuerdo y durante los 30 días siguientes.',
            'El programa, su nombre y sus textos siguen siendo nuestros o de nuestros licenciantes. El consultorio puede usarlos mientras rijan estos términos.',
          ],
        },
        {
          heading: '7. Qué no está permitido',
          paragraphs: ['Nadie puede'],
          list: [
            'mirar, o intentar alcanzar, datos de un consultorio o de una persona que no le incumben;',
            'enviar mensajes ilícitos, acosadores o engañosos;',
            'probar la seguridad de la instalación sin nuestro consentimiento por escrito, ni cargarla de modo que otros no puedan trabajar;',
            'revender el servicio o ceder el acceso a él.',
          ],
        },
        {
          heading: '8. Responsabilidad',
          paragraphs: [
            'Cada parte responde del daño que causa al incumplir estos términos. En la medida en que la ley lo permite, ninguna debe a la otra el lucro cesante ni otros daños indirectos, y lo que una parte debe por un año es como máximo lo que el consultorio pagó por ese año, o 100 dólares si no pagó nada. Este límite no rige para el daño causado a propósito o por negligencia grave, para las cuotas que debe el consultorio, ni para los deberes del Acuerdo de Asociado Comercial, que tiene sus propias reglas.',
          ],
        },
        {
          heading: '9. Cómo termina',
          paragraphs: [
            'El consultorio puede irse en cualquier momento desde su configuración o escribiéndonos. Nosotros podemos terminar el servicio con 60 días de aviso, o de inmediato cuando el consultorio incumple estos términos de un modo que pone en peligro a los pacientes, a otros consultorios o a la instalación. Después devolvemos o destruimos los datos de los pacientes como dice el Acuerdo de Asociado Comercial.',
          ],
        },
        {
          heading: '10. Cambios y ley aplicable',
          paragraphs: [
            'Anunciamos por correo electrónico todo cambio de estos términos al menos 30 días antes de que rija; la versión y su fecha figuran en cada página. Un consultorio que no esté de acuerdo puede irse antes y hasta entonces queda obligado por la versión anterior. Se aplica la ley del estado donde tiene su sede {operator}, junto con la ley federal de los Estados Unidos. Si una frase resulta no ser válida, las demás se mantienen. Esta es una traducción; en caso de duda vale el texto en inglés.',
          ],
        },
      ],
    },
  },
};
