"""`@value`: frozen records at no import cost.

`dataclasses` costs a commit hook more than the interpreter's own start, so the modules on the hook's path use this
decorator. To type checkers it *is* `dataclass`; at run time it gives the same constructor, equality and repr.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as value
    from dataclasses import replace

    def fields_of(record: object) -> tuple[object, ...]:
        """The values of a record's fields, in the order declared."""

    __all__ = ["TYPE_CHECKING", "fields_of", "replace", "value"]
else:

    def value(*, frozen):
        """`@value(frozen=True)`: a class of annotated fields, with defaults, that never changes."""
        assert frozen
        return _freeze

    def replace(record, **changes):
        """The same record with some fields changed."""
        return type(record)(**{name: getattr(record, name) for name in record._fields} | changes)

    def fields_of(record):
        """The values of a record's fields, in the order declared."""
        return tuple(getattr(record, name) for name in record._fields)

    def _freeze(cls):
        fields = tuple(cls.__annotations__)
        defaults = {name: cls.__dict__[name] for name in fields if name in cls.__dict__}
        cls._fields, cls._defaults = fields, defaults
        if "__init__" not in cls.__dict__:
            cls.__init__ = _init
        cls.__eq__, cls.__hash__, cls.__repr__ = _eq, _hash, _repr
        cls.__setattr__ = cls.__delattr__ = _refuse
        return cls

    def _init(self, *args, **kwargs):
        fields, values = self._fields, self.__dict__
        if not kwargs and len(args) == len(fields):  # where many are made, all of it is given in order
            values.update(zip(fields, args))  # noqa: B905  # just compared, and asking again takes its time
            return
        cls = type(self)
        if len(args) > len(fields) or (kwargs and not kwargs.keys() <= set(fields[len(args) :])):
            raise TypeError(f"{cls.__name__} takes {fields}, not {args} {kwargs}")
        values.update(cls._defaults)
        values.update(zip(fields, args, strict=False))
        values.update(kwargs)
        if len(values) != len(fields):
            raise TypeError(f"{cls.__name__} lacks {sorted(set(fields) - set(values))}")

    def _eq(self, other):
        return self.__dict__ == other.__dict__ if type(self) is type(other) else NotImplemented

    def _hash(self):
        return hash(fields_of(self))

    def _repr(self):
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in self._fields)})"

    def _refuse(self, name, *_):
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot change")
