/* ECMAScript 5: this must run where nothing else of the page does. The build inserts the messages. */
(function (messages) {
  // Both came with the oldest supported browsers: Chrome 110, Firefox 115, Safari 16.4.
  if (Array.prototype.toSorted && typeof OffscreenCanvas === 'function' && window.Promise) return;

  var root = document.getElementById('root');
  if (!root) return;
  // The page's own script finds no place to start in.
  root.id = 'floor';
  root.className = 'crash';

  var offered = document.querySelector('meta[name="gatehouse:languages"]');
  var usual = document.querySelector('meta[name="gatehouse:default-language"]');
  var codes = offered ? offered.content.split(' ') : ['en', 'es', 'fr', 'de'];
  var wishes = navigator.languages || [navigator.language || 'en'];
  var language = usual ? usual.content : 'en';
  for (var i = wishes.length - 1; i >= 0; i -= 1) {
    var code = wishes[i].toLowerCase().split('-')[0];
    if (codes.indexOf(code) >= 0 && messages[code]) language = code;
  }

  document.documentElement.lang = language;
  document.title = messages[language].title;
  var add = function (tag, text) {
    var element = document.createElement(tag);
    element.appendChild(document.createTextNode(text));
    root.appendChild(element);
  };
  root.setAttribute('role', 'main');
  add('h1', messages[language].title);
  add('p', messages[language].text);
  add('p', messages[language].advice);
})(FLOOR_MESSAGES);
