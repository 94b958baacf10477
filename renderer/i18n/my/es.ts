import type { MyWords } from './words.ts';

export const es: MyWords = {
  documentTitle: 'Mis comprobaciones',
  title: 'Mis comprobaciones',
  text: 'Mira qué organizadores te conocen y borra tus datos. Primero demuestra que el número es tuyo.',
  listTitle: 'Quién te conoce',
  listText: 'Estos organizadores guardan datos de una comprobación con tu número.',
  emptyTitle: 'Ningún organizador conoce este número',
  emptyText: 'Una comprobación sin número de teléfono no aparece aquí. Pregunta a su organizador.',
  test: 'Prueba',
  connected: 'Conectado',
  disconnected: 'Desconectado',
  since: 'Desde',
  lastVisit: 'Última visita',
  disconnect: 'Desconectar',
  erase: 'Borrar mis datos',
  done: 'Terminar',
  confirmDisconnect: {
    title: (organiser) => `¿Desconectarte de ${organiser}?`,
    lines: (organiser) => [
      `Tu aprobación en ${organiser} se retira enseguida. Tus cuentas allí dejan de estar unidas a ti.`,
      'Tu código facial se queda. Puedes repetir la comprobación o borrar tus datos.',
    ],
    confirm: 'Desconectar',
    working: 'Desconectando…',
  },
  confirmErase: {
    title: (organiser) => `¿Borrar tus datos en ${organiser}?`,
    lines: (organiser) => [
      `Se borran tu código facial, tu número y tus fotos en ${organiser}. Tu aprobación allí termina.`,
      'No se puede deshacer.',
    ],
    confirm: 'Borrar mis datos',
    working: 'Borrando…',
  },
  back: 'Volver',
  said: {
    disconnected: (organiser) => `Te has desconectado de ${organiser}.`,
    erased: (organiser) => `Tus datos en ${organiser} se han borrado.`,
    gone: 'Eso ya estaba hecho. Esto es lo que queda.',
    failed: 'No ha funcionado. No se ha cambiado nada. Inténtalo en un momento.',
    ended: 'Tu tiempo en esta página ha terminado. Demuestra otra vez que el número es tuyo.',
    closed: 'Cerrado. No queda nada en este dispositivo.',
  },
};
