import { formsOfNewPractice } from '#contract/forms/settings.ts';
import type { TourMessages } from './messages.ts';

export const es: TourMessages = {
  title: '{product}: los pacientes se registran desde el auto',
  description:
    'Software de registro para consultorios médicos y dentales. Los pacientes avisan «Ya llegué» desde el teléfono, completan sus formularios y esperan en el auto; usted los hace pasar con un clic. Acuerdo de HIPAA incluido.',
  signIn: 'Iniciar sesión',
  language: 'Idioma',
  skip: 'Ir al contenido',
  promise: 'Los pacientes avisan desde el auto que llegaron, y usted los hace pasar con un clic.',
  lead: '{product} reemplaza la sala de espera y los formularios en papel. Los pacientes no instalan nada: funciona en el navegador de cualquier teléfono.',
  setUp: 'Configurar mi consultorio',
  seeQueue: 'Ver la fila de demostración',
  facts: {
    hipaa: 'Acuerdo de HIPAA incluido',
    from: (price) => `Desde ${price} al mes por profesional`,
    trial: (days) => `${days} días gratis`,
    languages: 'Inglés y español',
  },
  pause: 'Pausar las imágenes',
  scene:
    'Un paciente toca «Ya llegué» en el teléfono. Su tarjeta aparece en la fila. La recepción presiona «Invitar al paciente» y el teléfono dice «Pase ahora».',
  visit: 'Una visita, de principio a fin',
  steps: [
    {
      title: 'Llegan',
      text: 'Los pacientes escanean su cartel o abren el enlace del mensaje y tocan «Ya llegué». Sin aplicación ni contraseña. Un padre o una madre registra a toda la familia a la vez.',
    },
    {
      title: 'Sus formularios llegan primero',
      text: 'La tarjeta del seguro, la identificación, los antecedentes de salud y el consentimiento se completan en el auto. Usted los lee antes de que el paciente llegue a la recepción.',
    },
    {
      title: 'Siguen en contacto',
      text: 'Envíe y reciba mensajes desde la fila. Los textos preparados, como «Vamos con diez minutos de retraso», son un clic.',
    },
  ],
  queue: {
    title: 'Pruebe la fila de demostración',
    text: 'Usted es el paciente a la izquierda y la recepción a la derecha. Los nombres son inventados y no se envía nada.',
    script: 'Para probar la fila, active JavaScript en su navegador.',
    demo: 'Esta instalación es una demostración. Para ver todas las pantallas, inicie sesión como front@maple.test y tome el código de la bandeja de salida.',
    phone: 'El teléfono del paciente',
    desk: 'Su fila',
    again: 'Empezar de nuevo',
    tap: 'Toque «Ya llegué» en el teléfono.',
  },
  whom: {
    title: 'Para quién es',
    practices: [
      {
        title: 'Odontología y ortodoncia',
        text: 'Los antecedentes de salud, la tarjeta del seguro y el consentimiento están listos antes de que se libere el sillón. Agregue sus propios formularios.',
      },
      {
        title: 'Pediatría y medicina familiar',
        text: 'Un padre o una madre registra a todos los niños a la vez. El que tiene fiebre no se sienta junto al que viene a un control.',
      },
      {
        title: 'Especialistas y centros quirúrgicos',
        text: 'Haga pasar a los pacientes de uno en uno y avise por mensaje de texto a quien espera para llevarlos a casa.',
      },
      {
        title: 'Grupos con varias sedes',
        text: 'Un solo inicio de sesión para todas. Cada sede tiene su fila, su equipo y sus formularios.',
      },
    ],
    software:
      'Funciona junto al programa que ya usa su consultorio, y no hay que conectar nada primero: las respuestas se descargan en PDF o como datos (FHIR). Al registrarse, usted elige el suyo:',
  },
  hipaa: {
    title: 'HIPAA desde el primer minuto',
    points: [
      'Usted firma el Acuerdo de Asociado Comercial en línea en unos tres minutos. Los datos de los pacientes se abren solo después.',
      'Un registro de actividad muestra quién abrió o cambió qué. Nadie puede modificarlo.',
      'Cada persona inicia sesión con su propia identidad: un código de un solo uso, una llave de acceso o Google. Una pantalla desatendida se bloquea a los 15 minutos.',
      'Los datos de sus pacientes están separados de los de otros consultorios y nunca se venden ni se usan para publicidad.',
    ],
    agreement: 'Leer el acuerdo',
    privacy: 'Aviso de privacidad',
    terms: 'Términos del servicio',
  },
  price: {
    title: 'Cuánto cuesta',
    each: 'Todos los precios son por profesional.',
    month: 'al mes por profesional',
    includes: (plan) => `Todo lo de ${plan} y además:`,
    plans: {
      pilot: [
        'Gestión de la sala de espera',
        'Datos del paciente y del seguro',
        'Inglés y español',
        'Detección de COVID-19, si la desea',
      ],
      lite: ['Formularios de antecedentes a su medida', 'Encuestas de socios'],
      prime: ['Integración con su programa (PMS/EHR: AthenaOne, FHIR)'],
    },
    unknown: 'Usted ve el precio antes de elegir un plan.',
    trial: (days) => `Los primeros ${days} días son gratis. Cancele cuando quiera.`,
  },
  end: {
    title: 'Su consultorio, en marcha en tres pasos',
    steps: ['Datos del consultorio', 'Firma de HIPAA', 'Listo: se abre su fila'],
    demo: '¿Prefiere verlo con alguien que lo conoce?',
    requestDemo: 'Solicitar demostración',
    call: 'Llámenos',
  },
  screens: {
    checkIn: 'Registrarse',
    name: 'Nombre',
    mobile: 'Número de celular',
    here: 'Ya llegué',
    checkedIn: 'Su llegada está registrada',
    wait: 'Espere en su auto. Le avisaremos aquí y por mensaje de texto cuando pueda pasar.',
    comeIn: 'Pase ahora',
    comeInText: 'Ya puede pasar. Venga a recepción, por favor.',
    onMyWay: 'Voy en camino',
    onTheWay: 'En camino',
    yourWay: 'Va en camino',
    tellUs: 'Venga a recepción y avísenos aquí cuando esté adentro.',
    inside: 'Ya está adentro',
    insideText: 'Avisamos en recepción que ya está adentro. ¡Gracias!',
    imIn: 'Ya entré',
    waiting: 'En espera',
    invited: 'Invitado',
    reinvited: 'Reinvitado',
    invite: 'Invitar al paciente',
    reinvite: 'Invitar de nuevo',
    toHistory: 'Pasar al Historial',
    noOne: 'Aún no tiene pacientes en espera.',
    choose: 'Seleccione un paciente para ver sus formularios, mensajes y el siguiente paso.',
    forms: 'Formularios: {done} de {all}',
    yourForms: 'Sus formularios',
    done: '¡Listo!',
    formNames: formsOfNewPractice.map(({ visibleName }) => visibleName.es),
    texts: [
      { from: 'patient', text: 'Nora tiene fiebre, ¿está bien?' },
      { from: 'desk', text: 'Sí. Use la puerta lateral, sala 2.' },
      { from: 'patient', text: '¡Gracias, ya vamos!' },
    ],
    arrived: 'Llegó {name}',
  },
};
