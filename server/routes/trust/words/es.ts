import type { TrustWords } from './words.ts';

export const es: TrustWords = {
  language: 'Español',
  title: 'Confiar en el Gatehouse de este recinto',
  intro:
    'Este dispositivo aún no conoce el certificado del control de este recinto. Instálelo una vez; después el control se abre sin avisos. Solo puede responder por direcciones de la red del recinto, nunca por un sitio de internet.',
  compare: 'Compare primero',
  compareText: 'El personal lo ve en su pantalla, en Ajustes, Red. No instale nada si es distinto.',
  download: 'Descargar el certificado',
  downloadApple: 'Descargar para iPhone y iPad',
  systems: [
    {
      name: 'iPhone, iPad',
      steps: [
        'Toque «Descargar para iPhone y iPad» y después Permitir.',
        'Abra Ajustes, «Perfil descargado», y toque Instalar.',
        'En Ajustes, General, Información, Ajustes de certificados de confianza, actívelo.',
      ],
    },
    {
      name: 'Android',
      steps: [
        'Toque «Descargar el certificado».',
        'Abra Ajustes, Seguridad, Más ajustes de seguridad, «Instalar desde el almacenamiento», «Certificado de CA».',
        'Elija Instalar de todos modos y el archivo gatehouse.crt.',
      ],
    },
    {
      name: 'Windows',
      steps: [
        'Descargue el certificado y ábralo.',
        'Elija «Instalar certificado», Usuario actual, «Colocar todos los certificados en el siguiente almacén».',
        'Elija «Entidades de certificación raíz de confianza» y termine.',
      ],
    },
    {
      name: 'macOS',
      steps: [
        'Descargue el certificado y ábralo en Acceso a Llaveros.',
        'Abra su entrada, Confiar, y elija «Confiar siempre».',
      ],
    },
    {
      name: 'Linux',
      steps: [
        'En los ajustes del navegador, busque certificados e importe el archivo como autoridad para sitios web.',
      ],
    },
  ],
  done: 'Después abra',
  remove: 'Cuando termine el evento, el certificado puede quitarse en el mismo lugar.',
};
