import type { PublishedDocument } from './document-text.ts';

export const privacy: PublishedDocument = {
  version: '1',
  since: '2026-11-01',
  texts: {
    en: {
      title: 'Privacy Notice',
      intro: [
        'This notice says what {product} knows about people, why, who else sees it and how long it is kept. “We” is {operator}, which runs this installation; we work for the medical practices that use it.',
        'Your practice decides what is done with its patients’ data and has its own Notice of Privacy Practices under HIPAA. For your medical record, ask your practice. We handle patients’ data as its business associate, under a signed agreement.',
      ],
      sections: [
        {
          heading: '1. If you are a patient, or bring one',
          paragraphs: ['To check you in, your practice’s front desk sees through {product}'],
          list: [
            'your name, date of birth and mobile number, and the same for family members you bring;',
            'when you arrived, were called in and left, and what you and the front desk wrote to each other;',
            'the forms you fill in, pictures you take for them (such as an insurance card), and your signature;',
            'whether a payment you were asked for was made. Numbers of cards go to the payment company only.',
          ],
        },
        {
          heading: '2. If you work at a practice',
          paragraphs: [
            'We keep your name, email address or mobile number, the practices you belong to, the devices you signed in on, and a record of what you did with patients’ data. That record is there to protect patients: it cannot be changed afterwards, and your practice can read it.',
          ],
        },
        {
          heading: '3. What we do with it, and what we never do',
          paragraphs: [
            'We use it to run the check-in: to show it to your practice, to send the texts and emails you expect, to keep the service safe and to repair it. We do not sell it, do not use it for advertising, do not build profiles from it and do not train programs on it.',
            'The pages patients see load nothing from other companies: no analytics, no advertising, no outside fonts or pictures. The cookies they set are needed: one keeps staff signed in, one lets a device be known again, one brings a patient’s phone back to its own visit.',
          ],
        },
        {
          heading: '4. Who else sees it',
          paragraphs: [
            'Besides your practice, only those the service needs, each for its own part and under a contract as strict as ours: whoever carries text messages, whoever carries email, whoever takes signatures of practices, whoever handles payments, and whoever runs the computers and keeps the copies. The panel shows staff which of them this installation uses.',
            'If you share your forms with somebody, such as a school, by a link, whoever has the link can open them until it ends or you take it back. We give data to authorities only when the law makes us, and tell the practice unless the law forbids it.',
          ],
        },
        {
          heading: '5. Text messages',
          paragraphs: [
            'Texts are about your visit. Answer STOP and no more come from that practice; START turns them on again; HELP tells whom to ask. Your phone company’s rates may apply. Ordinary texts are not encrypted: do not write in one what you would not say in the waiting room.',
          ],
        },
        {
          heading: '6. How it is kept safe, and for how long',
          paragraphs: [
            'What you and we send each other travels encrypted, text messages aside. Each practice’s data is kept apart from every other’s in the database itself. Staff sign in with one-time codes, are locked out after 5 to 30 idle minutes, as their practice chooses, and every look at a patient’s data is written down. Links to your visit are random and end two days after the visit. They are kept only as a fingerprint; until a text with a link has been sent, the link waits encrypted. Where no carrier is connected yet, texts are not sent; what they would have said, links and codes included, is kept readable for a day.',
            'Visits, forms and messages stay for as long as your practice keeps records, which the laws of its state say. One-time codes last three minutes. When a practice leaves, its data is returned or destroyed as its agreement with us says.',
          ],
        },
        {
          heading: '7. What you can ask for',
          paragraphs: [
            'Ask your practice to see, correct or receive a copy of what it has about you, or to tell you to whom it was disclosed; we help it to answer. If you believe your privacy was violated you may complain to the practice or to the U.S. Department of Health and Human Services, Office for Civil Rights. Nobody may treat you worse for it.',
          ],
        },
        {
          heading: '8. If something goes wrong',
          paragraphs: [
            'If data comes into the wrong hands we tell the practice without unreasonable delay, as our agreement with it and the law require, so that it can tell you.',
          ],
        },
        {
          heading: '9. Changes of this notice',
          paragraphs: [
            'The version and the day since which it holds stand on every page. If a change matters to you, your practice is told at least 30 days before.',
          ],
        },
      ],
    },
    es: {
      title: 'Aviso de privacidad',
      intro: [
        'Este aviso dice qué sabe {product} sobre las personas, por qué, quién más lo ve y cuánto tiempo se guarda. «Nosotros» es {operator}, que opera esta instalación; trabajamos para los consultorios médicos que lo usan.',
        'Su consultorio decide qué se hace con los datos de sus pacientes y tiene su propio aviso de prácticas de privacidad según la ley HIPAA. Para su expediente médico, pregunte a su consultorio. Nosotros tratamos los datos de los pacientes como su asociado comercial, según un acuerdo firmado.',
      ],
      sections: [
        {
          heading: '1. Si usted es paciente o acompaña a uno',
          paragraphs: ['Para registrar su llegada, la recepción de su consultorio ve por medio de {product}'],
          list: [
            'su nombre, fecha de nacimiento y número de móvil, y lo mismo de los familiares que trae;',
            'cuándo llegó, cuándo se le llamó y cuándo se fue, y lo que usted y la recepción se escribieron;',
            'los formularios que completa, las fotos que toma para ellos (como la tarjeta del seguro) y su firma;',
            'si se hizo un pago que se le pidió. Los números de las tarjetas van solo a la empresa de pagos.',
          ],
        },
        {
          heading: '2. Si usted trabaja en un consultorio',
          paragraphs: [
            'Guardamos su nombre, su correo electrónico o número de móvil, los consultorios a los que pertenece, los dispositivos en los que entró y un registro de lo que hizo con los datos de los pacientes. Ese registro existe para proteger a los pacientes: no se puede cambiar después y su consultorio puede leerlo.',
          ],
        },
        {
          heading: '3. Qué hacemos con ello y qué no hacemos nunca',
          paragraphs: [
            'Lo usamos para el registro de llegada: para mostrárselo a su consultorio, enviar los mensajes y correos que usted espera, mantener seguro el servicio y repararlo. No lo vendemos, no lo usamos para publicidad, no hacemos perfiles con ello ni entrenamos programas con ello.',
            'Las páginas que ven los pacientes no cargan nada de otras empresas: ni analítica, ni publicidad, ni fuentes o imágenes ajenas. Las cookies que ponen son necesarias: una mantiene la sesión del personal, una permite reconocer un dispositivo y una devuelve el teléfono del paciente a su propia visita.',
          ],
        },
        {
          heading: '4. Quién más lo ve',
          paragraphs: [
            'Además de su consultorio, solo quienes el servicio necesita, cada uno para su parte y con un contrato tan estricto como el nuestro: quien transporta los mensajes de texto, quien transporta el correo, quien recoge las firmas de los consultorios, quien tramita los pagos y quien opera los equipos y guarda las copias. El panel muestra al personal cuáles usa esta instalación.',
            'Si usted comparte sus formularios con alguien, por ejemplo una escuela, mediante un enlace, quien tenga el enlace puede abrirlos hasta que termine o usted lo retire. Solo damos datos a las autoridades cuando la ley nos obliga, y avisamos al consultorio salvo que la ley lo prohíba.',
          ],
        },
        {
          heading: '5. Mensajes de texto',
          paragraphs: [
            'Los mensajes tratan de su visita. Responda STOP y no llegarán más de ese consultorio; START los vuelve a activar; HELP dice a quién preguntar. Pueden aplicarse las tarifas de su compañía telefónica. Los mensajes de texto comunes no van cifrados: no escriba en uno lo que no diría en la sala de espera.',
          ],
        },
        {
          heading: '6. Cómo se protege y por cuánto tiempo',
          paragraphs: [
            'Lo que usted y nosotros nos enviamos viaja cifrado, salvo los mensajes de texto. Los datos de cada consultorio están separados de los demás en la propia base de datos. El personal entra con códigos de un solo uso, la pantalla se bloquea tras 5 a 30 minutos sin actividad, según elija el consultorio, y cada mirada a los datos de un paciente queda anotada. Los enlaces a su visita son aleatorios y terminan dos días después de la visita. Se guardan solo como huella; hasta que se envía el mensaje que lleva un enlace, este espera cifrado. Donde todavía no hay una compañía que lleve los mensajes, no se envían; lo que habrían dicho, con enlaces y códigos, se guarda legible durante un día.',
            'Las visitas, los formularios y los mensajes se conservan mientras su consultorio conserve sus registros, según las leyes de su estado. Los códigos de un solo uso duran tres minutos. Cuando un consultorio se va, sus datos se devuelven o destruyen como dice su acuerdo con nosotros.',
          ],
        },
        {
          heading: '7. Qué puede pedir',
          paragraphs: [
            'Pida a su consultorio ver, corregir o recibir una copia de lo que tiene sobre usted, o que le diga a quién se lo comunicó; nosotros le ayudamos a responder. Si cree que se violó su privacidad puede quejarse ante el consultorio o ante la Oficina de Derechos Civiles del Departamento de Salud y Servicios Humanos de los Estados Unidos. Nadie puede tratarle peor por ello.',
          ],
        },
        {
          heading: '8. Si algo sale mal',
          paragraphs: [
            'Si los datos llegan a manos equivocadas avisamos al consultorio sin demora injustificada, como exigen nuestro acuerdo con él y la ley, para que pueda avisarle a usted.',
          ],
        },
        {
          heading: '9. Cambios de este aviso',
          paragraphs: [
            'La versión y el día desde el que rige figuran en cada página. Si un cambio le importa a usted, su consultorio lo sabrá al menos 30 días antes.',
          ],
        },
      ],
    },
  },
};
