import type { FirstRunWords } from './en.ts';

export const es: FirstRunWords = {
  title: 'Te damos la bienvenida a Gatehouse',
  text: 'Hacen falta dos cosas antes de abrir: quién se ocupa de esto y para qué empresa. Es un minuto y no necesita red.',
  company: 'Empresa',
  companyHelp: 'Los asistentes leen este nombre antes de su verificación.',
  companyAdopted: 'Esta empresa ya existe y se conserva. Las claves ya entregadas siguen funcionando.',
  name: 'Tu nombre',
  nameHelp: 'Con él inicias sesión y aparece en la auditoría.',
  passphrase: 'Frase de acceso',
  passphraseHelp: 'Al menos 12 caracteres. Cuatro palabras sin relación entre sí van bien.',
  code: 'Código de instalación',
  codeHelp: 'Estás en otra máquina: el código está en el registro del servidor.',
  basics:
    'Se crea una primera verificación: una por persona, los casos dudosos van a un revisor. Todo se puede cambiar después.',
  create: 'Crear',
  keysTitle: 'Tus claves',
  keysText:
    'Tu sistema de entradas las usa para pedir verificaciones. Si no tienes, puedes seguir: se pueden crear claves en cualquier momento.',
  keysAdopted: 'Claves nuevas para la empresa. Las ya entregadas siguen funcionando.',
  keysWarning: 'Se muestran solo esta vez. Gatehouse no guarda copia legible.',
  keysStored: 'Las he guardado en un lugar seguro',
  demo: 'Crear también una empresa de demostración',
  demoHelp:
    'Un festival que nunca existió, con personas, casos y llamadas, para curiosear. Está separado de su empresa.',
  finish: 'Abrir la consola',
  strength: {
    short: 'Demasiado corta',
    weak: 'Fácil de adivinar',
    fair: 'Suficiente',
    strong: 'Fuerte',
  },
  keys: {
    pk_live: 'Publicable, real',
    sk_live: 'Secreta, real',
    ak_live: 'Clave API para v1 y v2, producción',
    pk_test: 'Publicable, prueba',
    sk_test: 'Secreta, prueba',
    ak_test: 'Clave API para v1 y v2, demo',
  },
};
