/**
 * What the page does beyond being read: sorting, filtering, copying. Nothing depends on it: without scripts the tables
 * stand as they are, and the controls are not there.
 */
export const SCRIPT = `
(function () {
  'use strict';
  document.querySelectorAll('table.sortable').forEach(function (table) {
    var body = table.tBodies[0];
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    var value = function (row, i) {
      var cell = row.cells[i];
      return cell.hasAttribute('data-v') ? Number(cell.getAttribute('data-v')) : cell.classList.contains('n') ? NaN : cell.textContent;
    };
    heads.forEach(function (head, i) {
      var button = document.createElement('button');
      button.type = 'button';
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener('click', function () {
        var up = head.getAttribute('aria-sort') === 'descending';
        heads.forEach(function (other) { other.removeAttribute('aria-sort'); });
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        var rows = Array.prototype.slice.call(body.rows);
        rows.sort(function (a, b) {
          var x = value(a, i), y = value(b, i);
          if (typeof x === 'number' && isNaN(x)) return typeof y === 'number' && isNaN(y) ? 0 : 1;
          if (typeof y === 'number' && isNaN(y)) return -1;
          var order = x < y ? -1 : x > y ? 1 : 0;
          return up ? order : -order;
        });
        rows.forEach(function (row) { body.appendChild(row); });
      });
    });
    var tools = document.createElement('div');
    tools.className = 'tools';
    var status = document.createElement('span');
    status.setAttribute('role', 'status');
    status.className = 'quiet';
    if (body.rows.length > 5) {
      var label = document.createElement('label');
      label.textContent = 'Filter ';
      var input = document.createElement('input');
      input.type = 'search';
      label.appendChild(input);
      tools.appendChild(label);
      input.addEventListener('input', function () {
        var wanted = input.value.toLowerCase(), shown = 0;
        Array.prototype.forEach.call(body.rows, function (row) {
          var hit = row.textContent.toLowerCase().indexOf(wanted) >= 0;
          row.hidden = !hit;
          if (hit) shown++;
        });
        status.textContent = wanted === '' ? '' : shown + ' of ' + body.rows.length + ' rows';
      });
    }
    var copy = document.createElement('button');
    copy.type = 'button';
    copy.textContent = 'Copy as CSV';
    tools.appendChild(copy);
    tools.appendChild(status);
    copy.addEventListener('click', function () {
      var field = function (cell) {
        var text = cell.hasAttribute('data-v') ? cell.getAttribute('data-v') : cell.textContent === '\\u2013' ? '' : cell.textContent;
        if (!cell.hasAttribute('data-v') && /^[=+\\-@\\t\\r]/.test(text)) text = "'" + text;
        return /[",\\r\\n]|^\\s|\\s$/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
      };
      var lines = [heads].concat(Array.prototype.filter.call(body.rows, function (row) { return !row.hidden; }).map(function (row) {
        return Array.prototype.slice.call(row.cells);
      })).map(function (cells) { return cells.map(field).join(','); });
      var text = lines.join('\\r\\n') + '\\r\\n';
      var done = function () { status.textContent = 'Copied ' + (lines.length - 1) + ' rows'; };
      var area = document.createElement('textarea');
      area.value = text;
      document.body.appendChild(area);
      area.select();
      try { document.execCommand('copy'); done(); } catch (error) { status.textContent = 'Copying is not allowed here'; }
      area.remove();
    });
    table.parentNode.parentNode.insertBefore(tools, table.parentNode);
  });
})();
`;
